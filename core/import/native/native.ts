import { MAGIC, NATIVE_EXTENSION } from '../../model/native/layout.ts';
import type { Importer } from '../importer.ts';

/** Flamebench's own file, which stores the columns as they are; see docs/profile-model.md. */
export const nativeImporter: Importer = {
  id: 'native',
  label: 'Flamebench profile',
  extensions: [NATIVE_EXTENSION],
  keeps: 'everything, the original format and file name included',
  loses: 'nothing',
  recognizedBy: 'its first eight bytes',
  specification: 'docs/profile-model.md',
  sniff: ({ bytes }) => (MAGIC.every((byte, index) => bytes[index] === byte) ? 'yes' : 'no'),
  start: async () => new (await import('./native-session.ts')).NativeSession(),
};
