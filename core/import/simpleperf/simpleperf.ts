import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/** Reports of Android's profiler: `simpleperf report-sample --protobuf`. */
export const simpleperfImporter: Importer = {
  id: 'simpleperf',
  label: 'simpleperf (Android)',
  extensions: ['trace'],
  keeps: 'every event with its counts, stacks with files and addresses, threads and processes, times, lost samples',
  loses: 'context switches, which are counted; mangled names, whether a method was interpreted',
  recognizedBy: 'its first ten bytes, SIMPLEPERF',
  specification: 'https://android.googlesource.com/platform/system/extras/+/main/simpleperf/cmd_report_sample.proto',
  sniff: ({ bytes }: Head): SniffResult =>
    String.fromCharCode(...bytes.subarray(0, MAGIC.length)) === MAGIC ? 'yes' : 'no',
  start: async () => (await import('./build.ts')).simpleperfSession(),
};

/** The same report as text: `simpleperf report-sample --show-callchain`. */
export const simpleperfTextImporter: Importer = {
  id: 'simpleperf-text',
  label: 'simpleperf text (Android)',
  extensions: ['simpleperf.txt', 'txt'],
  keeps: 'every event with its counts, stacks with files and addresses, threads, times, lost samples',
  loses: 'context switches, which are counted; whether a method was interpreted; the format itself has no processes',
  recognizedBy: 'blocks that begin with `sample:`, then `event_type:` below it',
  specification: 'https://android.googlesource.com/platform/system/extras/+/main/simpleperf/cmd_report_sample.cpp',
  sniff: sniffSimpleperfText,
  start: async () => byLine(new (await import('./text.ts')).SimpleperfTextSession()),
};

const MAGIC = 'SIMPLEPERF';

function sniffSimpleperfText({ text }: Head): SniffResult {
  if (!/^(?:meta_info|context_switch|sample):\r?\n {2}[a-z_]+: /.test(text)) return 'no';
  return /^sample:\r?\n {2}event_type: /m.test(text) ? 'yes' : 'no';
}
