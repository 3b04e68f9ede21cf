import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { docsPictures } from '../../scripts/docs-pictures.ts';
import { root } from '../../scripts/run-command.ts';

test.each(docsPictures)('docs/images/$name shows the window of today (npm run bless -- --pictures)', (picture) => {
  const shown = readFileSync(path.join(root, 'docs/images', picture.name));
  expect(shown.equals(readFileSync(path.join(root, 'tests/e2e/snapshots', picture.snapshot)))).toBe(true);
});
