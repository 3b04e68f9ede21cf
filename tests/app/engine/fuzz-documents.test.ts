import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDocumentPlace } from '../../../scripts/fuzz-documents.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/fuzz/documents');

/** Cases that scripts/fuzz.ts found, and texts that any document may have. */
const damaged = [
  ...(existsSync(FOLDER) ? readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name))) : []),
  ...['', '{', 'null', '[]', '{"schemaVersion":1e999}', '{"schemaVersion":1}', '\0'].map((text) => Buffer.from(text)),
];

test('a damaged document of any kind hides nothing else, and is refused without an exception', async () => {
  const place = await makeDocumentPlace();
  try {
    expect(place.documents.size).toBeGreaterThanOrEqual(7);
    for (const path of place.documents.keys()) {
      for (const bytes of damaged) expect([path, await place.readWith(path, bytes)]).toEqual([path, null]);
    }
  } finally {
    place.dispose();
  }
});
