import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCaptureIndex } from '#app/engine/library/captures/index.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { ended, printed, startChild } from '../support/child.ts';
import { mounting, mountTmpfs, remountReadOnly, tempFolder } from '../support/temp-folder.ts';
import { needing } from '../../../support/needing.ts';

const COUNT = 120;
/** Longer than the resolution of file times, so that the documents are not new. */
const LATER_MS = 100;

interface Many {
  readonly path: string;
  readonly configPath: string;
  readonly index: string;
  readonly ids: readonly string[];
  open(): Promise<Library>;
  documentOf(id: string): string;
  /** Returns the captures as a new process lists them, by ID. */
  list(): Promise<ReadonlyMap<string, unknown>>;
  /** Returns how many of the captures the index has as they are. */
  indexed(): Promise<number>;
}

/** Makes a library of as many captures as are worth an index; their names end in `padding`. */
async function makeLibrary(
  count = COUNT,
  configPath = tempFolder(),
  folder = tempFolder(),
  padding = '',
): Promise<Many> {
  const path = join(folder, 'library');
  const open = (): Promise<Library> => openLibrary(path, { configPath });
  const library = await open();
  const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
  const text = readFileSync(join(path, id, 'capture.json'), 'utf8');
  const ids = [id];
  for (let place = 1; place < count; place++) {
    const next = `20260101-000000-${place.toString(16).padStart(8, '0')}`;
    mkdirSync(join(path, next));
    writeFileSync(
      join(path, next, 'capture.json'),
      text.replaceAll(id, next).replace('a.folded', `a${place}.folded${padding}`),
    );
    ids.push(next);
  }
  await new Promise((resolve) => setTimeout(resolve, LATER_MS));
  const list = async (): Promise<ReadonlyMap<string, unknown>> =>
    new Map((await (await open()).list()).captures.map((document) => [document.id, document]));
  async function indexed(): Promise<number> {
    const index = await readCaptureIndex(path, configPath);
    return ids.filter((one) => {
      const { ino, size, mtimeMs, ctimeMs } = statSync(join(path, one, 'capture.json'));
      return index.find(one, `${ino}-${size}-${mtimeMs}-${ctimeMs}`) !== null;
    }).length;
  }
  const documentOf = (one: string): string => join(path, one, 'capture.json');
  return { path, configPath, index: join(path, '.index'), ids, open, list, indexed, documentOf };
}

test('the first list of many captures makes a private index, and lists from it are equal', async () => {
  const many = await makeLibrary();
  const first = await many.list();
  expect(first.size).toBe(COUNT);
  expect(await many.indexed()).toBe(COUNT);
  expect(statSync(many.index).mode & 0o777).toBe(0o600);
  const before = readFileSync(many.index);
  expect(await many.list()).toEqual(first);
  expect(readFileSync(many.index).equals(before)).toBe(true);
});

test('few captures have no index, and neither has a folder that is no library', async () => {
  const few = await makeLibrary(3);
  await few.list();
  expect(existsSync(few.index)).toBe(false);
  const mixed = await makeLibrary();
  rmSync(join(mixed.path, '.flamebench-library'));
  writeFileSync(join(mixed.path, 'thesis.txt'), '');
  expect((await mixed.list()).size).toBe(COUNT);
  expect(existsSync(mixed.index)).toBe(false);
});

test('a document that was changed, even at the same size and time, or is broken is read', async () => {
  const many = await makeLibrary();
  await many.list();
  const [changed, broken] = [many.ids[5]!, many.ids[6]!];
  const { atime, mtime } = statSync(many.documentOf(changed));
  writeFileSync(many.documentOf(changed), readFileSync(many.documentOf(changed), 'utf8').replace('a5.', 'b5.'));
  utimesSync(many.documentOf(changed), atime, mtime);
  writeFileSync(many.documentOf(broken), '{');
  const { captures, damaged } = await (await many.open()).list();
  expect(captures).toHaveLength(COUNT - 1);
  expect(captures.find(({ id }) => id === changed)?.name).toBe('b5.folded');
  expect(damaged).toMatchObject([{ id: broken }]);
});

test('an index that is damaged at any place, cut off, or of another user’s key or version, changes no list', async () => {
  const many = await makeLibrary();
  const all = await many.list();
  const whole = readFileSync(many.index);
  for (const share of [0, 0.01, 0.3, 0.5, 0.99]) {
    const place = Math.floor(whole.length * share);
    const flipped = Buffer.from(whole);
    flipped[place] = flipped[place]! ^ 1;
    for (const bytes of [flipped, whole.subarray(0, place)]) {
      writeFileSync(many.index, bytes);
      expect(await many.list()).toEqual(all);
      // What was lost has been appended behind it.
      expect(await many.indexed()).toBe(COUNT);
    }
  }
  // A library from elsewhere claims other names.
  const foreign = await makeLibrary();
  await foreign.list();
  writeFileSync(many.index, readFileSync(foreign.index));
  expect(await many.list()).toEqual(all);
  const older = whole.toString().replace(/^\n(\w{64}) [\d.]+ /, '\n$1 0.0.1 ');
  writeFileSync(many.index, older);
  expect(await many.list()).toEqual(all);
  expect(await many.indexed()).toBe(COUNT);
});

needing(mounting, () => {
  test('a read-only library is listed from its index, and without one', async () => {
    const [indexed, bare] = [mountTmpfs(16 << 20), mountTmpfs(16 << 20)];
    const many = await makeLibrary(COUNT, tempFolder(), indexed);
    const all = await many.list();
    const without = await makeLibrary(COUNT, tempFolder(), bare);
    remountReadOnly(indexed);
    remountReadOnly(bare);
    expect(await many.list()).toEqual(all);
    expect(await many.indexed()).toBe(COUNT);
    expect((await without.list()).size).toBe(COUNT);
    expect(existsSync(without.index)).toBe(false);
  });
});

test('an index that is mostly waste is written afresh', async () => {
  const many = await makeLibrary();
  const all = await many.list();
  const { size } = statSync(many.index);
  appendFileSync(many.index, `${'x'.repeat(99)}\n`.repeat(30_000));
  expect(await many.list()).toEqual(all);
  expect(statSync(many.index).size).toBe(size);
  expect(await many.indexed()).toBe(COUNT);
});

test('two lists that make the index at once lose nothing', async () => {
  const many = await makeLibrary();
  const [one, other] = await Promise.all([many.list(), many.list()]);
  expect(one).toEqual(other);
  expect(await many.indexed()).toBe(COUNT);
  truncateSync(many.index, 0);
  await Promise.all([many.list(), many.list(), many.list()]);
  expect(await many.indexed()).toBe(COUNT);
});

/** Lists the library in a process of its own. */
const listing = ({ path, configPath }: Many): ChildProcess => startChild('list-captures.ts', [path, configPath]);

test('a process that is killed while it writes the index spoils no list, and the next one completes it', async () => {
  // So many that what is missing is always worth being added.
  const count = 2 * COUNT;
  const many = await makeLibrary(count, tempFolder(), tempFolder(), 'x'.repeat(50_000));
  const all = await many.list();
  const { size: whole } = statSync(many.index);
  for (const after of [0, 12, 40, 80, 119]) {
    rmSync(many.index);
    const child = startChild('index-until-killed.ts', [many.path, many.configPath, `${after}`, ...many.ids]);
    await ended(child);
    expect(child.signalCode).toBe('SIGKILL');
    expect(statSync(many.index).size).toBeLessThan(whole);
    expect(await many.indexed()).toBeLessThanOrEqual(after);
    expect(await many.list()).toEqual(all);
    expect(await many.indexed()).toBe(count);
  }
}, 180_000);

test('processes that list one library at once, while another adds captures, lose nothing', async () => {
  const many = await makeLibrary();
  const printedBy = async (child: ChildProcess): Promise<string[]> =>
    (await printed(child, (text) => text.endsWith('\n'))).trim().split(' ');
  const library = await many.open();
  const lists = [1, 2, 3, 4].map(() => printedBy(listing(many)));
  const added = [];
  for (let run = 0; run < 20; run++) added.push((await library.importFile('b.folded', chunksOf('main 1\n'))).id);
  for (const ids of await Promise.all(lists)) expect(ids).toEqual(expect.arrayContaining([...many.ids]));
  expect((await printedBy(listing(many))).toSorted()).toEqual([...many.ids, ...added].toSorted());
  expect(await many.indexed()).toBe(COUNT);
  expect((await (await many.open()).list()).damaged).toEqual([]);
}, 180_000);

test.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a link', (path: string) => symlinkSync(join(path, '..', 'elsewhere'), path)],
])('an index that is %s is neither read nor written', async (_name, put) => {
  const many = await makeLibrary();
  writeFileSync(join(many.path, 'elsewhere'), 'mine');
  put(many.index);
  expect((await many.list()).size).toBe(COUNT);
  expect(await many.indexed()).toBe(0);
  expect(readFileSync(join(many.path, 'elsewhere'), 'utf8')).toBe('mine');
});
