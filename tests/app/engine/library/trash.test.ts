import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import { expireTrash } from '#app/engine/library/expire-trash.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { deleteItems, listTrash, restoreItem } from '#app/engine/library/trash.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DAY_MS = 86_400_000;

async function newLibrary(now?: () => number): Promise<{ library: Library; id: string; trash: string }> {
  const library = await openLibrary(join(tempFolder(), 'library'), now === undefined ? {} : { now });
  const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
  return { library, id, trash: join(library.path, '.trash') };
}

async function expire(root: string, trashDays: number): Promise<void> {
  const failures: string[] = [];
  const settings = { get: () => ({ ...DEFAULT_SETTINGS, trashDays }) };
  const { run, stop } = expireTrash(root, settings, (line) => failures.push(line));
  await run();
  stop();
  expect(failures).toEqual([]);
}

test('the time of trashing is noted in the folder, and leaves it when it is restored', async () => {
  const at = Date.now() - 2 * DAY_MS;
  const { library, id, trash } = await newLibrary(() => at);
  const files = readdirSync(join(library.path, id));
  await library.trash(id);
  const [item] = (await listTrash(library.path)).items;
  expect(item).toMatchObject({ id, trashedAt: at, name: 'a.folded' });
  await restoreItem(library.path, item!);
  expect(readdirSync(join(library.path, id))).toEqual(files);
  await library.trash(id);
  await expire(library.path, 3);
  expect(readdirSync(trash)).toEqual([id]);
  await expire(library.path, 1);
  expect(readdirSync(trash)).toEqual([]);
});

test('what an earlier version trashed has no time, never expires, and is deleted on request', async () => {
  const { library, trash } = await newLibrary();
  mkdirSync(join(trash, '20200101-000000-00000000.0123abcd'), { recursive: true });
  utimesSync(join(trash, '20200101-000000-00000000.0123abcd'), 0, 0);
  await expire(library.path, 0);
  const { items } = await listTrash(library.path);
  expect(items).toMatchObject([{ id: '20200101-000000-00000000', trashedAt: null }]);
  await deleteItems(library.path, items);
  expect(readdirSync(trash)).toEqual([]);
});

test('what Flamebench did not put into the trash is named, and never deleted', async () => {
  const { library, id, trash } = await newLibrary();
  const elsewhere = tempFolder();
  writeFileSync(join(elsewhere, 'precious'), '');
  await library.trash(id);
  mkdirSync(join(trash, 'photos'));
  writeFileSync(join(trash, 'photos', 'me.jpg'), '');
  writeFileSync(join(trash, 'list.txt'), '');
  symlinkSync(elsewhere, join(trash, '20200101-000000-00000000'));
  await expire(library.path, 0);
  expect(existsSync(join(trash, id))).toBe(false);
  const { items, others } = await listTrash(library.path);
  expect(items).toEqual([]);
  expect(others.toSorted()).toEqual(['20200101-000000-00000000', 'list.txt', 'photos']);
  const foreign = { id: 'x', kind: 'capture', name: 'x', sizeBytes: 0, trashedAt: 0 } as const;
  await expect(deleteItems(library.path, [{ ...foreign, entry: '20200101-000000-00000000' }])).rejects.toMatchObject({
    message: expect.stringContaining('is not a folder') as string,
  });
  expect(readdirSync(trash)).toHaveLength(3);
  expect(readdirSync(elsewhere)).toEqual(['precious']);
});

test('a trash without the library’s marker is not emptied', async () => {
  const root = tempFolder();
  mkdirSync(join(root, '.trash', '20200101-000000-00000000'), { recursive: true });
  writeFileSync(join(root, '.trash', '20200101-000000-00000000', '.trashed.json'), '{"schemaVersion":1,"trashedAt":0}');
  const { items } = await listTrash(root);
  await expect(deleteItems(root, items)).rejects.toMatchObject({ code: 'not-a-library' });
  expect(readdirSync(join(root, '.trash'))).toHaveLength(1);
});

test('a folder without a capture.json is no capture: it is neither listed nor trashed', async () => {
  const { library, id } = await newLibrary();
  mkdirSync(join(library.path, 'src'));
  writeFileSync(join(library.path, 'src', 'main.c'), '');
  expect(await library.list()).toMatchObject({ captures: [{ id }], damaged: [] });
  await expect(library.trash('src')).rejects.toMatchObject({ code: 'not-found' });
  expect(readdirSync(join(library.path, 'src'))).toEqual(['main.c']);
});
