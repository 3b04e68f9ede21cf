import type { Profile } from '../../model/profile.ts';
import type { ImportSession } from '../importer.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import { JsonSession } from '../text/json-session.ts';
import { buildOtlp } from './build.ts';
import { isOtlpMessage } from './sniff.ts';
import { decodeOtlp } from './wire.ts';

/** Offsets are stored as 32-bit integers. */
const MAX_BYTES = 2 ** 31 - 1;

export class OtlpSession implements ImportSession {
  readonly #bytes = new ByteCollector('an OTLP profile', MAX_BYTES);

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  finish(): Profile {
    const bytes = this.#bytes.finish();
    if (isOtlpMessage(bytes)) return buildOtlp(decodeOtlp(bytes));
    const json = new JsonSession('an OTLP profile', buildOtlp);
    json.push(bytes);
    return json.finish();
  }
}
