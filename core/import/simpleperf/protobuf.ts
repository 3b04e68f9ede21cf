import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import type { ImportSession } from '../importer.ts';
import { buildSimpleperf } from './build.ts';
import { SimpleperfRecords } from './records.ts';

/** Offsets are stored as 32-bit integers; simpleperf reads its own reports up to 64 MB. */
const MAX_BYTES = 2 ** 31 - 1;

export class SimpleperfSession implements ImportSession {
  readonly #bytes = new ByteCollector('a simpleperf report', MAX_BYTES);

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  finish(): Profile {
    return buildSimpleperf(new SimpleperfRecords(this.#bytes.finish()));
  }
}
