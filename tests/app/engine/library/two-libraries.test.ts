import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { ended, startChild } from '../support/child.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function twoLibraries(): Promise<[Library, Library]> {
  const path = join(tempFolder(), 'library');
  return [await openLibrary(path), await openLibrary(path)];
}

test('keeps all of 80 simultaneous changes by several processes', async () => {
  const [library] = await twoLibraries();
  const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
  const children = [1, 2, 3, 4].map(() => startChild('count-up.ts', [library.path, id, '20']));
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0, 0]);
  expect(await library.get(id)).toMatchObject({ samples: 80 });
  expect(readdirSync(join(library.path, id)).sort()).toEqual(['capture.json', 'raw.folded']);
});

test('two windows see each other’s captures, names and trash, and list each state completely', async () => {
  const [one, two] = await twoLibraries();
  const { id } = await one.importFile('a.folded', chunksOf('main 1\n'));
  const names: Promise<unknown>[] = [];
  for (let run = 0; run < 20; run++) {
    names.push((run % 2 === 0 ? one : two).rename(id, `name ${run}`));
    expect((await (run % 2 === 0 ? two : one).list()).damaged).toEqual([]);
  }
  await Promise.all(names);
  expect((await one.get(id)).name).toBe((await two.get(id)).name);
  await two.trash(id);
  expect((await one.list()).captures).toEqual([]);
  await one.restore(id);
  expect((await two.list()).captures).toHaveLength(1);
});

test('a window is notified of another’s changes, and of folders that vanish', async () => {
  const [one, two] = await twoLibraries();
  let changes = 0;
  const stop = two.onChange(() => changes++);
  const heard = async (): Promise<void> => {
    await expect.poll(() => changes, { timeout: 5000, interval: 50 }).toBeGreaterThan(0);
    changes = 0;
  };
  const { id } = await one.importFile('a.folded', chunksOf('main 1\n'));
  await heard();
  await one.tag(id, ['x']);
  await heard();
  rmSync(join(one.path, id), { recursive: true });
  await heard();
  stop();
  two.close();
});
