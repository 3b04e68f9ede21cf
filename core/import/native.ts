import { NATIVE_EXTENSION, readNative } from '../model/native-file.ts';
import { MAGIC } from '../model/native-layout.ts';
import type { Profile } from '../model/profile.ts';
import { ByteCollector } from './byte-collector.ts';
import type { Importer, ImportSession } from './importer.ts';

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

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  finish(): Profile {
    return readNative(this.#bytes.finish());
  }
}
