import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { bundleFileName } from '#app/engine/experiments/bundle-layout.ts';
import { openExperiments, type Experiments } from '#app/engine/experiments/experiments.ts';
import { exportBundle } from '#app/engine/experiments/export-bundle.ts';
import { importBundle } from '#app/engine/experiments/import-bundle.ts';
import { TAR_END, tarHeader, tarPadding } from '#app/engine/experiments/tar.ts';
import { fileSource } from '#app/engine/file-source.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Place {
  readonly library: Library;
  readonly experiments: Experiments;
}

async function newPlace(): Promise<Place> {
  const library = await openLibrary(join(tempFolder(), 'library'));
  return { library, experiments: await openExperiments(library) };
}

let here: Place;
let there: Place;
let id: string;

/** Two captures, one with notes and a second file, and an experiment of them. */
beforeEach(async () => {
  [here, there] = [await newPlace(), await newPlace()];
  const before = await here.library.importFile('before.folded', chunksOf('main;work 3\n'));
  const writer = await here.library.create({ name: 'after', origin: 'recorded', primaryFile: 'raw.txt' });
  await writer.append('raw.txt', Buffer.from('main;work 1\n'));
  await writer.append('raw.perf.data', Buffer.from([1, 2, 0, 255]));
  await writer.finish({ otherFiles: ['raw.perf.data'], durationMs: 1000 });
  await here.library.annotate(writer.id, 'The cache is on.');
  const made = await here.experiments.create({
    name: 'cache: off/on',
    before: [{ id: before.id, requests: 10 }],
    after: [{ id: writer.id, requests: 20 }],
    notes: 'Tuesday',
  });
  id = made.experiment.id;
});

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const exported = async (): Promise<Buffer> => bytesOf((await exportBundle(here.library, here.experiments, id)).chunks);

async function* chunked(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

const importInto = ({ library, experiments }: Place, bytes: Uint8Array, limits?: Parameters<typeof importBundle>[3]) =>
  importBundle(library, experiments, chunked(bytes), limits);

/** Nothing in the library and nothing left of the attempt. */
async function expectEmpty({ library, experiments }: Place): Promise<void> {
  expect(await library.list()).toEqual({ captures: [], damaged: [] });
  expect(await experiments.list()).toEqual({ experiments: [], damaged: [] });
  expect(readdirSync(join(library.path, '.tmp'))).toEqual([]);
}

test('an experiment goes to another library as one file, with its captures, notes and options', async () => {
  await here.experiments.change(id, { options: { normalisation: 'per-request' }, before: { label: 'off' } });
  const imported = await importInto(there, await exported());
  expect(imported).toMatchObject({ added: 2, known: 0, missing: [] });
  const original = (await here.experiments.get(id)).experiment;
  expect(imported.experiment).toEqual({
    ...original,
    id: imported.experiment.id,
    changedAt: imported.experiment.changedAt,
  });
  const [before, after] = [original.before.captures[0]!.id, original.after.captures[0]!.id];
  expect(await there.library.get(after)).toEqual({ ...(await here.library.get(after)), origin: 'imported' });
  expect(await there.library.notes(after)).toEqual({ schemaVersion: 1, text: 'The cache is on.' });
  const { path } = await there.library.rawFile(after, 'raw.perf.data');
  expect([...readFileSync(path)]).toEqual([1, 2, 0, 255]);
  expect(readFileSync((await there.library.openFile(before)).path, 'utf8')).toBe('main;work 3\n');
  expect(readdirSync(join(there.library.path, '.tmp'))).toEqual([]);
});

test('a second import takes what is there, unless it was changed', async () => {
  const bytes = await exported();
  const [first, second] = [await importInto(there, bytes), await importInto(there, bytes)];
  expect(second).toMatchObject({ added: 0, known: 2 });
  expect(second.experiment).toEqual(first.experiment);
  await there.experiments.change(first.experiment.id, { notes: 'mine' });
  const third = await importInto(there, bytes);
  expect(third).toMatchObject({
    added: 0,
    known: 2,
    experiment: { notes: 'Tuesday', before: first.experiment.before },
  });
  expect((await there.experiments.list()).experiments).toHaveLength(2);
  expect((await there.library.list()).captures).toHaveLength(2);
});

test('another capture of the same id is not taken for it', async () => {
  const imported = await importInto(there, await exported());
  const before = imported.experiment.before.captures[0]!.id;
  writeFileSync((await here.library.openFile(before)).path, 'main;work 4\n');
  const again = await importInto(there, await exported());
  expect(again).toMatchObject({ added: 1, known: 1 });
  const other = again.experiment.before.captures[0]!.id;
  expect(other).not.toBe(before);
  expect(readFileSync((await there.library.openFile(before)).path, 'utf8')).toBe('main;work 3\n');
  expect(readFileSync((await there.library.openFile(other)).path, 'utf8')).toBe('main;work 4\n');
});

test('what is missing stays named on the other side', async () => {
  const { experiment } = await here.experiments.get(id);
  const before = experiment.before.captures[0]!;
  await here.library.trash(before.id);
  const { missing, chunks } = await exportBundle(here.library, here.experiments, id);
  expect(missing).toBe(1);
  const imported = await importInto(there, await bytesOf(chunks));
  expect(imported).toMatchObject({ added: 1, missing: [{ id: before.id, name: before.name, why: 'missing' }] });
});

test('tar unpacks a bundle, and one that tar packed again is read', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'bundle'), await exported());
  execFileSync('tar', ['xzf', 'bundle'], { cwd: folder });
  const listed = execFileSync('tar', ['tzf', 'bundle'], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  expect(listed[0]).toBe('experiment.json');
  execFileSync('tar', ['czf', 'again', '--no-recursion', ...listed.map((name) => `./${name}`)], { cwd: folder });
  expect(await importInto(there, readFileSync(join(folder, 'again')))).toMatchObject({ added: 2, missing: [] });
});

test('files of many chunks come through, also from a reader that uses its buffer again', async () => {
  const noise = randomBytes(3 << 20);
  const writer = await here.library.create({ name: 'large', origin: 'recorded', primaryFile: 'raw.txt' });
  await writer.append('raw.txt', noise);
  await writer.finish();
  await here.experiments.change(id, { after: { put: [{ id: writer.id }] } });
  const folder = tempFolder();
  writeFileSync(join(folder, 'bundle'), await exported());
  const { library, experiments } = there;
  const chunks = fileSource(join(folder, 'bundle')).chunks();
  expect(await importBundle(library, experiments, chunks)).toMatchObject({ added: 3, missing: [] });
  const { path } = await library.openFile(writer.id);
  expect(readFileSync(path).equals(noise)).toBe(true);
});

test('a recording that still runs, and a file that is gone, are said before the first byte', async () => {
  const writer = await here.library.create({ name: 'live', origin: 'recorded', primaryFile: 'raw.txt' });
  await here.experiments.change(id, { after: { put: [{ id: writer.id }] } });
  await expect(exportBundle(here.library, here.experiments, id)).rejects.toMatchObject({ code: 'in-use' });
  await writer.finish();
  await expect(exportBundle(here.library, here.experiments, id)).rejects.toMatchObject({ code: 'file-missing' });
  await expect(exportBundle(here.library, here.experiments, 'experiment-no')).rejects.toMatchObject({
    code: 'not-found',
  });
});

type Part = readonly [name: string, text: string, type?: string];

/** A bundle of any files: `type` is the letter of a tar entry. */
function bundle(parts: readonly Part[], size?: number): Buffer {
  const files = parts.flatMap(([name, text, type = '0']) => {
    const header = Buffer.from(tarHeader(name, size ?? Buffer.byteLength(text), 0));
    header.write(type, 156);
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, Buffer.from(text), tarPadding(Buffer.byteLength(text))];
  });
  return gzipSync(Buffer.concat([...files, TAR_END]));
}

async function partsOfBundle(): Promise<{ experiment: Part; document: CaptureDocument; parts: Part[] }> {
  const state = await here.experiments.get(id);
  const capture = state.experiment.before.captures[0]!.id;
  const document = await here.library.get(capture);
  const experiment: Part = [
    'experiment.json',
    JSON.stringify({ ...state.experiment, after: { ...state.experiment.after, captures: [] } }),
  ];
  const parts: Part[] = [
    experiment,
    [`captures/${capture}/capture.json`, JSON.stringify(document)],
    [`captures/${capture}/raw.folded`, 'main;work 3\n'],
  ];
  return { experiment, document, parts };
}

test('a bundle that was made by hand is taken as well', async () => {
  const { parts } = await partsOfBundle();
  expect(await importInto(there, bundle(parts))).toMatchObject({ added: 1, missing: [] });
});

test('hostile bundles are refused, and nothing of them is kept', async () => {
  const { experiment, document, parts } = await partsOfBundle();
  const folder = `captures/${document.id}`;
  const [, documentPart, raw] = parts as [Part, Part, Part];
  const withDocument = (change: object): Part => [`${folder}/capture.json`, JSON.stringify({ ...document, ...change })];
  const cases: readonly (readonly [string, readonly Part[], string])[] = [
    ['a file outside', [...parts, ['../outside', 'x']], '../outside'],
    ['a file far outside', [...parts, ['/etc/passwd', 'x']], '/etc/passwd'],
    ['a way out of a capture', [...parts, [`${folder}/../../../x`, 'x']], 'belongs to none'],
    ['a way out on Windows', [...parts, [`${folder}/..\\..\\x`, 'x']], 'does not name'],
    ['a folder for a capture', [...parts, ['captures/../capture.json', '{}']], 'belongs to none'],
    ['a symbolic link', [experiment, documentPart, [`${folder}/raw.folded`, '', '2']], 'a link or no file'],
    ['a hard link', [...parts, [`${folder}/other`, '', '1']], 'a link or no file'],
    ['a device', [...parts, [`${folder}/other`, '', '3']], 'a link or no file'],
    ['extended headers', [['PaxHeader', '27 path=../../outside/file\n', 'x'], ...parts], 'a link or no file'],
    ['a long name', [['././@LongLink', '../../outside', 'L'], ...parts], 'a link or no file'],
    ['a stranger’s capture', [...parts, ['captures/other/capture.json', JSON.stringify(document)]], 'belongs to none'],
    ['a lock', [...parts, [`${folder}/edit.lock.0`, '{}']], 'does not name'],
    ['a cache', [...parts, [`${folder}/profile.flamebench`, 'x']], 'does not name'],
    ['a document that names a lock', [experiment, withDocument({ primaryFile: 'writer.lock.0' })], 'no name of a file'],
    ['a document that names a path', [experiment, withDocument({ primaryFile: '../raw' })], 'no name of a file'],
    ['the same file twice', [...parts, raw], 'twice'],
    ['the same document twice', [...parts, documentPart], 'twice'],
    ['a file before its document', [experiment, raw, documentPart], 'before the capture.json'],
    ['a capture without its file', [experiment, documentPart], 'lacks the file'],
    ['no experiment', parts.slice(1), 'not with experiment.json'],
    ['nothing', [], 'is empty'],
    ['a second experiment', [...parts, experiment], 'belongs to none'],
    [
      'an experiment of another version',
      [['experiment.json', '{"schemaVersion": 9}'], ...parts.slice(1)],
      'newer Flamebench',
    ],
    ['dates beyond all dates', [experiment, withDocument({ createdAt: 1e300 }), raw], 'createdAt'],
    ['notes that are none', [...parts, [`${folder}/notes.json`, '[]']], 'notes.json'],
  ];
  for (const [what, hostile, message] of cases) {
    await expect(importInto(there, bundle(hostile)), what).rejects.toMatchObject({
      code: 'bad-bundle',
      message: expect.stringContaining(message),
    });
    await expectEmpty(there);
  }
});

test('bundles with too many files, too large ones, or that unpack to too much are refused', async () => {
  const { parts } = await partsOfBundle();
  const limits = { entries: 2, bytes: 1000 };
  await expect(importInto(there, bundle(parts), limits)).rejects.toThrow('more than 2 files');
  await expect(importInto(there, bundle(parts), { entries: 9, bytes: 500 })).rejects.toThrow('more than 500 bytes');
  await expect(importInto(there, bundle(parts.slice(0, 1), 9 << 20))).rejects.toThrow('experiment.json');
  const folders = Array.from({ length: 11_000 }, (_none, at): Part => [`captures/${at}/`, '', '5']);
  await expect(importInto(there, bundle([...parts, ...folders]))).rejects.toThrow('more than 10000 files');
  // A few hundred kilobytes that would be zeros without end behind the last file.
  const whole = gunzipSync(bundle(parts));
  await expect(importInto(there, gzipSync(Buffer.concat([whole, Buffer.alloc(64 << 20)])))).rejects.toThrow(
    'more follows its end',
  );
  await expectEmpty(there);
});

test('what is cut short, damaged or no bundle at all is refused', async () => {
  const bytes = await exported();
  const flipped = Buffer.from(bytes);
  flipped[bytes.length - 6]! ^= 0xff;
  for (const broken of [
    bytes.subarray(0, bytes.length - 20),
    flipped,
    Buffer.from('main;work 3\n'),
    Buffer.alloc(0),
    gzipSync('text'),
  ]) {
    await expect(importInto(there, broken)).rejects.toMatchObject({ code: 'bad-bundle' });
    await expectEmpty(there);
  }
});

test('an upload that breaks off leaves nothing', async () => {
  const bytes = await exported();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* chunked(bytes.subarray(0, bytes.length / 2));
    throw new Error('the line went dead');
  }
  await expect(importBundle(there.library, there.experiments, broken())).rejects.toThrow('the line went dead');
  await expectEmpty(there);
});

test('what a bundle says of itself makes the library do nothing', async () => {
  const { experiment, document, parts } = await partsOfBundle();
  const hostile = { ...document, state: 'recording', name: 'a\u202e\u0007b', origin: 'sample', otherFiles: [] };
  await importInto(
    there,
    bundle([experiment, [`captures/${document.id}/capture.json`, JSON.stringify(hostile)], parts[2]!]),
  );
  const recovered: string[] = [];
  const reopened = await openLibrary(there.library.path, {
    recover: (_files, { id: met }) => {
      recovered.push(met);
      return Promise.resolve({});
    },
  });
  expect(await reopened.get(document.id)).toMatchObject({
    state: 'finished',
    incomplete: true,
    name: 'ab',
    origin: 'imported',
  });
  expect(recovered).toEqual([]);
  await there.library.tag(document.id, ['mine']);
});

test('a library that holds a link where a capture would go is not followed', async () => {
  const elsewhere = tempFolder();
  const { document, parts } = await partsOfBundle();
  mkdirSync(there.library.path, { recursive: true });
  symlinkSync(elsewhere, join(there.library.path, document.id));
  const imported = await importInto(there, bundle(parts));
  expect(imported.experiment.before.captures[0]!.id).not.toBe(document.id);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('bundles are named as every system takes it', () => {
  expect(bundleFileName('cache: off/on → 2')).toBe('cache- off-on → 2.flamebench-experiment');
  expect(bundleFileName('../..')).toBe('experiment.flamebench-experiment');
  expect(bundleFileName('x'.repeat(300))).toHaveLength(80 + '.flamebench-experiment'.length);
});

test('what is exported does not name the machine’s folders', async () => {
  const text = gunzipSync(await exported()).toString('latin1');
  expect(text).not.toContain(here.library.path);
});
