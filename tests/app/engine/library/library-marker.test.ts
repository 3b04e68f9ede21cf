import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { adoptLibrary } from '#app/engine/library/library-marker.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { deleteItems, listTrash } from '#app/engine/library/trash.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { chunksOf } from '../support/bytes.ts';
import { containing, oneLine } from '../support/matching.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { needing } from '../../../support/needing.ts';

const MARKER = '.flamebench-library';
const recover = (): Promise<object> => Promise.resolve({});
const refusal = { code: 'not-a-library', message: oneLine, remedy: containing('--library') };

/** Makes a library with one capture; returns the capture's ID. */
async function makeLibrary(path: string): Promise<string> {
  return (await (await openLibrary(path)).importFile('a.folded', chunksOf('main 1\n'))).id;
}

/** Makes a library as versions without the marker left it. */
async function makeEarlier(path: string): Promise<string> {
  const id = await makeLibrary(path);
  rmSync(join(path, MARKER));
  return id;
}

/** Makes a folder with the files of somebody else; each path is relative to it. */
function put(folder: string, ...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), 'precious');
  }
}

const expectKept = (folder: string, ...files: readonly string[]): void => {
  for (const file of files) expect(readFileSync(join(folder, file), 'utf8'), file).toBe('precious');
};

test('a new library gets its marker with the first change, not when it is read', async () => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path, { recover });
  await library.list();
  expect(existsSync(path)).toBe(false);
  await library.importFile('a.folded', chunksOf('main 1\n'));
  const marker = readFileSync(join(path, MARKER), 'utf8');
  expect(JSON.parse(marker)).toEqual({ schemaVersion: 1, id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  await (await openLibrary(path, { recover })).importFile('b.folded', chunksOf('main 1\n'));
  expect(readFileSync(join(path, MARKER), 'utf8')).toBe(marker);
});

test('several processes’ first changes agree on one marker', async () => {
  const path = join(tempFolder(), 'library');
  const libraries = await Promise.all([1, 2, 3, 4].map(() => openLibrary(path)));
  await Promise.all(libraries.map((library) => library.importFile('a.folded', chunksOf('main 1\n'))));
  expect((await openLibrary(path)).notices).toEqual([]);
  expect((await libraries[0]!.list()).captures).toHaveLength(4);
});

test('the root of the file system and home folders are refused, with a marker and by links too', async () => {
  const folder = tempFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  put(home, MARKER);
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(homedir()).toBe(home);
  const links = [
    ['/', 'slash'],
    [home, 'own'],
    // Under sudo, $HOME may be another one.
    [userInfo().homedir, 'account'],
  ] as const;
  for (const [to, name] of links) {
    const link = join(folder, name);
    symlinkSync(to, link);
    for (const path of [to, link]) await expect(openLibrary(path, { recover }), path).rejects.toMatchObject(refusal);
  }
  expect(readdirSync(home)).toEqual([MARKER]);
});

test('a folder with a .tmp and other content is refused, and keeps them', async () => {
  const folder = tempFolder();
  put(folder, '.tmp/import-0123456789abcdef/notes.txt', '.tmp/old.txt', 'src/main.c');
  const opened = openLibrary(folder, { recover, now: () => Date.now() + 25 * 3_600_000 });
  await expect(opened).rejects.toMatchObject({ ...refusal, message: containing('no .flamebench-library') });
  expectKept(folder, '.tmp/import-0123456789abcdef/notes.txt', '.tmp/old.txt', 'src/main.c');
  const only = tempFolder();
  put(only, '.tmp/import-0123456789abcdef/notes.txt');
  await expect(openLibrary(only, { recover })).rejects.toMatchObject(refusal);
});

test('a library of an earlier version gets the marker if it has nothing else in it', async () => {
  const path = join(tempFolder(), 'library');
  const id = await makeEarlier(path);
  const library = await openLibrary(path, { recover });
  expect(library.notices).toEqual([]);
  expect(existsSync(join(path, MARKER))).toBe(true);
  expect(await library.rename(id, 'b')).toMatchObject({ name: 'b' });
});

test('experiments alone make a library of an earlier version too', async () => {
  const path = join(tempFolder(), 'library');
  mkdirSync(join(path, '.experiments', 'experiment-20260101-000000-00000000'), { recursive: true });
  expect((await openLibrary(path, { recover })).notices).toEqual([]);
  expect(existsSync(join(path, MARKER))).toBe(true);
});

test('an empty marker, which a crash may leave, is replaced', async () => {
  const path = join(tempFolder(), 'library');
  const id = await makeLibrary(path);
  writeFileSync(join(path, MARKER), '');
  expect(await (await openLibrary(path, { recover })).rename(id, 'b')).toMatchObject({ name: 'b' });
  expect(readFileSync(join(path, MARKER), 'utf8')).toContain('schemaVersion');
  writeFileSync(join(path, MARKER), '{"schemaVersion": 2, "id": "x"}');
  await expect(openLibrary(path)).rejects.toMatchObject({ message: containing('newer'), remedy: 'Update Flamebench.' });
});

test('captures among other content are only read until the folder is adopted', async () => {
  const path = join(tempFolder(), 'library');
  const id = await makeEarlier(path);
  put(path, 'thesis/main.tex', '.tmp/cache-0123456789abcdef', 'README');
  const library = await openLibrary(path, { recover });
  const experiments = await openExperiments(library);
  expect(library.notices).toEqual([containing('flamebench captures adopt --library')]);
  expect((await library.list()).captures).toMatchObject([{ id }]);
  expect(await library.openFile(id)).toMatchObject({ size: 7 });
  expect(await library.saveCache(id, chunksOf('x'))).toBe(false);
  const changes = [
    () => library.rename(id, 'b'),
    () => library.tag(id, ['b']),
    () => library.trash(id),
    () => library.restore(id),
    () => library.importFile('b', chunksOf('b')),
    () => library.editNotes(id, { put: [], remove: [] }),
    () => experiments.create({ name: null, before: [{ id }], after: [] }),
  ];
  for (const change of changes) {
    await expect(change()).rejects.toMatchObject({ code: 'read-only', message: oneLine, remedy: containing('adopt') });
  }
  expect(readdirSync(path).toSorted()).toEqual(['.changed', '.tmp', id, 'README', 'thesis']);
  expectKept(path, 'thesis/main.tex', '.tmp/cache-0123456789abcdef', 'README');

  await adoptLibrary(path);
  const adopted = await openLibrary(path, { recover });
  expect(adopted.notices).toEqual([]);
  await adopted.trash(id);
  await expect(adopted.trash('thesis')).rejects.toMatchObject({ code: 'not-found' });
  expectKept(path, 'thesis/main.tex', 'README');
});

test.each(['.tmp', '.trash', '.experiments', '.loads', '.changed', MARKER])(
  'a %s that is a link refuses the library, and nothing behind it is touched',
  async (name) => {
    const folder = tempFolder();
    const path = join(folder, 'library');
    await makeLibrary(path);
    put(folder, 'precious/import-0123456789abcdef/file', 'precious/20200101-000000-00000000/file', 'precious/other');
    rmSync(join(path, name), { recursive: true, force: true });
    symlinkSync(join(folder, 'precious'), join(path, name));
    const opened = openLibrary(path, { recover, now: () => Date.now() + 25 * 3_600_000 });
    await expect(opened).rejects.toMatchObject({ ...refusal, message: containing(`its ${name} is a link`) });
    expectKept(join(folder, 'precious'), 'import-0123456789abcdef/file', '20200101-000000-00000000/file', 'other');
  },
);

test('a .tmp or .trash that becomes a link while the library is open is not followed', async () => {
  const folder = tempFolder();
  const path = join(folder, 'library');
  const id = await makeLibrary(path);
  const library = await openLibrary(path);
  await library.trash(id);
  const { items } = await listTrash(path);
  put(folder, `precious/${id}/file`);
  for (const name of ['.tmp', '.trash']) {
    rmSync(join(path, name), { recursive: true });
    symlinkSync(join(folder, 'precious'), join(path, name));
  }
  await expect(library.importFile('b', chunksOf('b'))).rejects.toMatchObject(refusal);
  await expect(deleteItems(path, items)).rejects.toMatchObject(refusal);
  await expect(library.restore(id)).rejects.toMatchObject(refusal);
  expectKept(folder, `precious/${id}/file`);
  expect(readdirSync(join(folder, 'precious'))).toEqual([id]);
});

test('the library itself may be a link', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'disk'));
  symlinkSync(join(folder, 'disk'), join(folder, 'library'));
  const library = await openLibrary(join(folder, 'library'), { recover });
  const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
  await library.trash(id);
  await library.restore(id);
  await library.trash(id);
  await deleteItems(library.path, (await listTrash(library.path)).items);
  expect(readdirSync(realpathSync(library.path)).toSorted()).toEqual(['.changed', MARKER, '.tmp', '.trash']);
  writeFileSync(join(library.path, MARKER), '');
  await (await openLibrary(library.path)).importFile('a.folded', chunksOf('main 1\n'));
});

test('a capture that is a link is listed as unreadable, and neither opened nor changed', async () => {
  const folder = tempFolder();
  const path = join(folder, 'library');
  const id = await makeLibrary(path);
  const elsewhere = await makeLibrary(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere', elsewhere), join(path, '20200101-000000-00000000'));
  const library = await openLibrary(path, { recover });
  expect(await library.list()).toMatchObject({
    captures: [{ id }],
    damaged: [{ id: '20200101-000000-00000000', message: containing('link'), remedy: oneLine }],
  });
  await expect(library.get('20200101-000000-00000000')).rejects.toMatchObject({ code: 'damaged' });
  await expect(library.rename('20200101-000000-00000000', 'x')).rejects.toMatchObject({ code: 'damaged' });
  await expect(library.trash('20200101-000000-00000000')).rejects.toMatchObject({
    message: containing('not a folder'),
  });
  expect(readdirSync(join(folder, 'elsewhere'))).toContain(elsewhere);
});

needing({ name: 'the right to give files away (root has it)', present: () => process.getuid?.() === 0 }, () => {
  test.each(['.tmp', '.trash', '.experiments', '.loads', '.changed', MARKER])(
    'a %s of another user refuses the library',
    async (name) => {
      const path = join(tempFolder(), 'library');
      await makeLibrary(path);
      if (!existsSync(join(path, name))) mkdirSync(join(path, name));
      chownSync(join(path, name), 1234, 1234);
      const opened = openLibrary(path, { recover });
      await expect(opened).rejects.toMatchObject({ ...refusal, message: containing('belongs to another user') });
    },
  );

  test('a capture of another user is listed as unreadable beside the others, and not deleted', async () => {
    const path = join(tempFolder(), 'library');
    const [id, other] = [await makeLibrary(path), await makeLibrary(path)];
    for (const part of ['', 'capture.json']) chownSync(join(path, other, part), 1234, 1234);
    const library = await openLibrary(path, { recover });
    expect(await library.list()).toMatchObject({
      captures: [{ id }],
      damaged: [{ id: other, message: containing('belongs to another user'), remedy: oneLine }],
    });
    await expect(library.trash(other)).rejects.toMatchObject({ message: containing('another user') });
    await expect(library.rename(other, 'x')).rejects.toMatchObject({ code: 'damaged' });
    expect(existsSync(join(path, other))).toBe(true);
  });
});

test('the first captures of a library may be many at once', async () => {
  for (let round = 0; round < 5; round++) {
    const path = join(tempFolder(), 'library');
    const library = await openLibrary(path);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        library.create({ name: `host ${at}`, origin: 'imported', primaryFile: 'a.folded' }),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(20);
    for (const writer of made) await writer.discard();
    library.close();
  }
});
