import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestRecentFile } from '#app/cli/open/open.ts';
import { openRecentFiles } from '#app/engine/config/recent-files.ts';
import { tempFolder } from '../../engine/support/temp-folder.ts';

test('returns the most recently opened file that still exists', async () => {
  const folder = tempFolder();
  await expect(newestRecentFile(folder)).rejects.toMatchObject({
    message: expect.stringContaining('none of the recent files'),
  });
  const [old, newer] = ['old.folded', 'newer.folded'].map((name) => join(folder, name));
  const recent = await openRecentFiles(folder);
  for (const path of [old!, newer!]) {
    writeFileSync(path, 'a 1\n');
    await recent.add([path]);
  }
  await recent.close();
  expect(await newestRecentFile(folder)).toBe(newer);
  rmSync(newer!);
  expect(await newestRecentFile(folder)).toBe(old);
});
