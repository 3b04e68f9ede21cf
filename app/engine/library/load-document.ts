import { loadTestSchema, type StoredLoadTest } from '#core/contract/load/load-test.ts';
import { LOADS_FOLDER } from './captures/files.ts';
import type { FolderDocument } from './document-folders.ts';

export const LOAD_TESTS: FolderDocument<StoredLoadTest> = {
  noun: 'load test',
  idPrefix: 'load',
  parent: LOADS_FOLDER,
  fileName: 'load.json',
  version: 1,
  upgraders: new Map(),
  schema: loadTestSchema,
  repair: 'The tools’ outputs in its folder are untouched: read them with `flamebench load read`, or repair load.json.',
  ifMissing: 'flamebench load lists them; it may have been moved to the trash.',
  listedBy: ({ createdAt }) => createdAt,
};
