import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolders } from '../../../collectors/effects/write.ts';
import { afterAll, describe, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'make-folders-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('folders', () => {
  test('created concurrently share their parents', async () => {
    for (let round = 0; round < 20; round++) {
      const parent = join(root, String(round), 'shared');
      const names = Array.from({ length: 8 }, (_, index) => String(index));
      await Promise.all(names.map((name) => makeFolders(join(parent, name))));
      expect(readdirSync(parent).toSorted()).toEqual(names);
    }
  });

  test('report that nothing can be created', async () => {
    await expect(makeFolders('/proc/flamebench/library')).rejects.toThrow(/ENOENT/);
  });
});
