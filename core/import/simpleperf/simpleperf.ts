import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import type { Head, Importer, ImportSession, Verdict } from '../importer.ts';
import { buildSimpleperf } from './build.ts';
import { SIMPLEPERF_MAGIC, SimpleperfRecords } from './records.ts';

/** Offsets are kept as 32-bit integers; simpleperf reads its own reports up to 64 MB. */
const MAX_BYTES = 2 ** 31 - 1;

/** What Android's profiler makes of a recording: `simpleperf report-sample --protobuf`. */
export const simpleperfImporter: Importer = {
  id: 'simpleperf',
  label: 'simpleperf (Android)',
  extensions: ['trace'],
  keeps: 'every event with its counts, stacks with files and addresses, threads and processes, times, lost samples',
  loses: 'context switches, which are counted; mangled names, whether a method was interpreted',
  recognizedBy: 'its first ten bytes, SIMPLEPERF',
  specification: 'https://android.googlesource.com/platform/system/extras/+/main/simpleperf/cmd_report_sample.proto',
  sniff: ({ bytes }: Head): Verdict =>
    String.fromCharCode(...bytes.subarray(0, SIMPLEPERF_MAGIC.length)) === SIMPLEPERF_MAGIC ? 'yes' : 'no',
  start: () => new SimpleperfSession(),
};

class SimpleperfSession implements ImportSession {
  readonly #bytes = new ByteCollector('a simpleperf report', MAX_BYTES);

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  finish(): Profile {
    return buildSimpleperf(new SimpleperfRecords(this.#bytes.finish()));
  }
}
