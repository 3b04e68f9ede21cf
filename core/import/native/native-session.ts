import { crc32 } from '../../model/crc32.ts';
import { HEADER, HEADER_BYTES } from '../../model/native/layout.ts';
import { readNative } from '../../model/native/read.ts';
import type { Profile } from '../../model/profile.ts';
import type { ImportSession } from '../importer.ts';
import { ByteCollector } from '../text/byte-collector.ts';

export class NativeSession implements ImportSession {
  readonly #bytes = new ByteCollector('a native file');
  #headerLeft = HEADER_BYTES;
  /** CRC of the body so far, computed while the reader waits for data. */
  #crc = 0;

  push(chunk: Uint8Array): void {
    if (this.#headerLeft === HEADER_BYTES) this.#bytes.expect(statedLength(chunk));
    this.#bytes.push(chunk);
    const body = chunk.subarray(this.#headerLeft);
    this.#headerLeft -= chunk.length - body.length;
    this.#crc = crc32(this.#crc, body);
  }

  finish(): Profile {
    return readNative(this.#bytes.finish(), this.#crc);
  }
}

/** Returns 0 if the header is incomplete. */
function statedLength(header: Uint8Array): number {
  if (header.length < HEADER_BYTES) return 0;
  return Number(new DataView(header.buffer, header.byteOffset).getBigUint64(HEADER.fileLength, true));
}
