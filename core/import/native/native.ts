import { crc32 } from '../../model/crc32.ts';
import { NATIVE_EXTENSION, readNative } from '../../model/native-file.ts';
import { HEADER, HEADER_BYTES, MAGIC } from '../../model/native-layout.ts';
import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import type { Importer, ImportSession } from '../importer.ts';

/** Flamebench's own file: columns as they are, see docs/profile-model.md. */
export const nativeImporter: Importer = {
  id: 'native',
  label: 'Flamebench profile',
  extensions: [NATIVE_EXTENSION],
  keeps: 'everything, the original format and file name included',
  loses: 'nothing',
  recognizedBy: 'its first eight bytes',
  specification: 'docs/profile-model.md',
  sniff: ({ bytes }) => (MAGIC.every((byte, index) => bytes[index] === byte) ? 'yes' : 'no'),
  start: () => new NativeSession(),
};

class NativeSession implements ImportSession {
  readonly #bytes = new ByteCollector('a native file');
  #headerLeft = HEADER_BYTES;
  /** Of the body so far: the reader of a file has time for it while it waits. */
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

/** 0 where the header is not all there. */
function statedLength(header: Uint8Array): number {
  if (header.length < HEADER_BYTES) return 0;
  return Number(new DataView(header.buffer, header.byteOffset).getBigUint64(HEADER.fileLength, true));
}
