import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CPU_TIME_MISSED } from '#core/contract/corrected-recording.ts';
import { processSchema } from '#core/contract/schemas.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { chunksOf, textOf } from '../support/bytes.ts';
import { containing, oneLine } from '../support/matching.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { noteOf } from '../../../support/note.ts';

async function newLibrary(): Promise<Library> {
  return openLibrary(join(tempFolder(), 'library'));
}

async function addCapture(library: Library, name: string, text = 'main;work 1\n'): Promise<string> {
  return (await library.importFile(name, chunksOf(text))).id;
}

test('a missing library is empty, and is created private with its first capture', async () => {
  const library = await newLibrary();
  expect(await library.list()).toEqual({ captures: [], damaged: [] });
  const id = await addCapture(library, 'a.folded');
  expect(statSync(library.path).mode & 0o777).toBe(0o700);
  expect(statSync(join(library.path, id, 'capture.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(library.path, id)).sort()).toEqual(['capture.json', 'raw.folded']);
});

test('a recording is listed from its start, keeps appended data, and accepts others’ changes', async () => {
  const library = await newLibrary();
  const writer = await library.create({
    name: 'nginx',
    origin: 'recorded',
    primaryFile: 'raw.perf-script.txt',
    otherFiles: ['raw.perf.data'],
    state: 'recording',
  });
  await Promise.all(['a', 'b', 'c'].map((text) => writer.append('raw.perf-script.txt', Buffer.from(text))));
  await writer.append('raw.perf.data', Buffer.from('12345'));
  expect((await library.list()).captures).toMatchObject([{ id: writer.id, state: 'recording', incomplete: false }]);
  await library.rename(writer.id, 'renamed meanwhile');
  const finished = await writer.finish({ samples: 3 });
  expect(finished).toMatchObject({ name: 'renamed meanwhile', state: 'finished', samples: 3, sizeBytes: 8 });
  expect(readFileSync(join(writer.folder, 'raw.perf-script.txt'), 'utf8')).toBe('abc');
  expect(readdirSync(writer.folder).sort()).toEqual(['capture.json', 'raw.perf-script.txt', 'raw.perf.data']);
  expect(await writer.finish()).toEqual(finished);
  await writer.discard();
  expect((await library.list()).captures).toHaveLength(1);
  await expect(writer.append('raw.perf.data', Buffer.from('late'))).rejects.toMatchObject({ code: 'ended' });
});

test('reads a raw file while it grows, and replaces it completely or not at all', async () => {
  const library = await newLibrary();
  const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  const read = (): Promise<string> => textOf(writer.read('raw.txt'));
  expect(await read()).toBe('');
  await writer.append('raw.txt', Buffer.from('old'));
  expect(await read()).toBe('old');
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* chunksOf('half');
    throw new Error('perf script failed');
  }
  await expect(writer.replace('raw.txt', broken())).rejects.toThrow('perf script failed');
  expect(await read()).toBe('old');
  await writer.replace('raw.txt', chunksOf('new', ' text'));
  await writer.append('raw.txt', Buffer.from('!'));
  expect(await read()).toBe('new text!');
  expect(await writer.finish()).toMatchObject({ sizeBytes: 9 });
  expect(readdirSync(writer.folder).sort()).toEqual(['capture.json', 'raw.txt']);
});

test('a recording without a sample is not opened: the failure says why it has none, and what to do', async () => {
  const library = await newLibrary();
  const empty = async (text: string, ...diagnostics: Diagnostic[]): Promise<string> => {
    const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
    await writer.append('raw.txt', Buffer.from(text));
    await writer.finish({ samples: 0, diagnostics });
    return writer.id;
  };
  const said = (code: string): Diagnostic => ({
    code,
    severity: 'warning',
    message: `Said by ${code}.`,
    count: 1,
    first: null,
    remedy: 'Record longer.',
  });
  const failure = (message: string) => ({ code: 'empty-capture', message, remedy: containing('ecord longer') });
  const open = async (id: Promise<string>) => library.openFile(await id);
  await expect(open(empty('', said('script-failed')))).rejects.toMatchObject(failure('Said by script-failed.'));
  for (const code of ['no-samples', CPU_TIME_MISSED])
    await expect(open(empty('# head', said('x'), said(code)))).rejects.toMatchObject(failure(`Said by ${code}.`));
  await expect(open(empty(''))).rejects.toMatchObject(failure('No samples were recorded.'));
  // Such as a profile of pprof, which has facts without samples.
  expect(await open(empty('head', said('empty-profile')))).toMatchObject({ size: 4 });
});

test('discarding leaves nothing behind', async () => {
  const library = await newLibrary();
  const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  await writer.append('raw.txt', Buffer.from('abc'));
  await writer.discard();
  await writer.discard();
  expect(await library.list()).toEqual({ captures: [], damaged: [] });
  expect(readdirSync(join(library.path, '.tmp'))).toEqual([]);
});

const ownNames = ['capture.json', 'CAPTURE.JSON', 'capture.json.new', 'Notes.json.new', 'notes.json.', 'reserve'];
const lockNames = ['writer.lock', 'Edit.Lock', 'writer.lock.0', 'edit.LOCK.1'];

test.each(['../raw.txt', 'a/b', '.hidden', '', 'a\0b', 'Profile.flamebench', ...ownNames, ...lockNames])(
  'refuses %j as the name of a raw file',
  async (fileName) => {
    const library = await newLibrary();
    const invalid = { code: 'invalid-arguments' };
    await expect(library.create({ name: 'x', origin: 'recorded', primaryFile: fileName })).rejects.toMatchObject(
      invalid,
    );
    const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt' });
    await expect(writer.append(fileName, Buffer.from('x'))).rejects.toMatchObject(invalid);
    await expect(writer.finish({ otherFiles: [fileName] })).rejects.toMatchObject(invalid);
  },
);

test.each([
  ['../../etc/passwd', 'passwd', 'raw'],
  ['C:\\temp\\cpu.pb.gz', 'cpu.pb.gz', 'raw.pb.gz'],
  ['<img onerror=x>.perf.txt', '<img onerror=x>.perf.txt', 'raw.perf.txt'],
  ['\u202egnp.folded\u0007', 'gnp.folded', 'raw.folded'],
  ['__proto__', '__proto__', 'raw'],
  ['..', '..', 'raw'],
  ['a. /', 'unnamed', 'raw'],
  [`${'x'.repeat(400)}.txt`, 'x'.repeat(300), 'raw.txt'],
])('imports %j as %j in %j', async (original, name, primaryFile) => {
  const library = await newLibrary();
  const imported = await library.importFile(original, chunksOf('main 1\n'));
  expect(imported).toMatchObject({ name, primaryFile, origin: 'imported', state: 'finished', sizeBytes: 7 });
});

test('an interrupted or too large import leaves nothing behind', async () => {
  const library = await newLibrary();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* chunksOf('some');
    throw new Error('the sender has gone');
  }
  await expect(library.importFile('a', broken())).rejects.toThrow('the sender has gone');
  await expect(library.importFile('a', chunksOf('123', '456'), 5)).rejects.toMatchObject({ code: 'too-large' });
  expect((await library.list()).captures).toEqual([]);
  expect(await library.importFile('empty', chunksOf())).toMatchObject({ sizeBytes: 0, state: 'finished' });
});

test('searches name and tags, ignoring case, and lists the newest first', async () => {
  let now = 1_000_000;
  const library = await openLibrary(join(tempFolder(), 'library'), { now: () => (now += 1000) });
  const before = await addCapture(library, 'Before.folded');
  const after = await addCapture(library, 'after.folded');
  await library.tag(before, ['sweep', 'web', 'sweep']);
  const found = async (query: string): Promise<string[]> =>
    (await library.list(query)).captures.map(({ name }) => name);
  expect(await found('')).toEqual(['after.folded', 'Before.folded']);
  expect(await found('before')).toEqual(['Before.folded']);
  expect(await found('SWEEP  folded')).toEqual(['Before.folded']);
  expect(await found('sweep after')).toEqual([]);
  expect(await found('[')).toEqual([]);
  expect((await library.get(before)).tags).toEqual(['sweep', 'web']);
  await library.rename(after, 'a/b: “ü” ');
  expect(await found('a/b')).toEqual(['a/b: “ü”']);
});

test('searches host, process and command, each by any of its words', async () => {
  const library = await newLibrary();
  await addCapture(library, 'other.folded');
  const writer = await library.create({ name: 'night', origin: 'recorded', primaryFile: 'raw.txt' });
  const { name } = await writer.finish({
    target: { kind: 'ssh', host: 'Web-7', kernel: null, arch: null, cpuCount: null },
    process: processSchema.parse({
      pid: 7,
      startTicks: '1',
      user: 'www',
      cpuPercent: null,
      rssBytes: 0,
      threads: 1,
      startedAt: 0,
      name: 'nginx',
      command: 'nginx: worker process',
      container: null,
      executable: null,
      runtime: null,
    }),
    collector: {
      id: 'perf',
      toolVersion: null,
      commands: [['perf', 'record', '--freq=99']],
      exitCode: 0,
      signal: null,
    },
  });
  for (const query of ['web-7', 'NGINX', 'worker', 'record --freq', 'web-7 worker freq=99']) {
    expect((await library.list(query)).captures, query).toMatchObject([{ name }]);
  }
  expect((await library.list('web-7 other')).captures).toEqual([]);
});

test('moves to the trash and restores, except for running recordings', async () => {
  const library = await newLibrary();
  const id = await addCapture(library, 'a.folded');
  await library.editNotes(id, { put: [noteOf('dump middleware removed here')], remove: [] });
  await library.trash(id);
  expect((await library.list()).captures).toEqual([]);
  await expect(library.get(id)).rejects.toMatchObject({ code: 'not-found' });
  await expect(library.trash(id)).rejects.toMatchObject({ code: 'not-found' });
  expect(readdirSync(join(library.path, '.trash'))).toEqual([id]);
  expect(await library.restore(id)).toMatchObject({ id, name: 'a.folded' });
  expect(await library.notes(id)).toEqual([noteOf('dump middleware removed here')]);
  const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  await expect(library.trash(writer.id)).rejects.toMatchObject({ code: 'in-use' });
  await writer.discard();
});

test.each(['../x', '.trash', '__proto__', 'constructor', '', 'A', 'a/b', 'a'.repeat(200)])(
  'finds no capture with the ID %j',
  async (id) => {
    const library = await newLibrary();
    await addCapture(library, 'a.folded');
    const missing = { code: 'not-found' };
    await expect(library.get(id)).rejects.toMatchObject(missing);
    await expect(library.rename(id, 'x')).rejects.toMatchObject(missing);
    await expect(library.trash(id)).rejects.toMatchObject(missing);
    await expect(library.restore(id)).rejects.toMatchObject(missing);
    await expect(library.openFile(id)).rejects.toMatchObject(missing);
    await expect(library.saveCache(id, chunksOf('x'))).rejects.toMatchObject(missing);
  },
);

test('opens a capture by its primary file, not through a link', async () => {
  const library = await newLibrary();
  const id = await addCapture(library, 'a.folded');
  const folder = join(library.path, id);
  expect(await library.openFile(id)).toEqual({
    path: join(folder, 'raw.folded'),
    fileName: 'raw.folded',
    size: 12,
    cached: false,
  });
  const document = readFileSync(join(folder, 'capture.json'), 'utf8');
  symlinkSync('/etc/passwd', join(folder, 'raw.link'));
  writeFileSync(join(folder, 'capture.json'), document.replace('raw.folded', 'raw.link'));
  await expect(library.openFile(id)).rejects.toMatchObject({ code: 'file-missing' });
  writeFileSync(join(folder, 'capture.json'), document.replace('raw.folded', '../../secret'));
  expect((await library.list()).damaged).toMatchObject([{ id, message: containing('is not the name of a file') }]);
});

test('lists and opens the bundled samples, which cannot be changed', async () => {
  const samplesPath = join(tempFolder(), 'profiles');
  const folder = join(samplesPath, 'perf-script', 'before-1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'raw.txt'), 'main 1\n');
  const own = await newLibrary();
  const template = await own.get(await addCapture(own, 'a.txt'));
  writeFileSync(join(folder, 'capture.json'), JSON.stringify({ ...template, id: 'x', name: 'Before' }));
  const library = await openLibrary(join(tempFolder(), 'library'), { samplesPath });
  const id = 'sample-perf-script-before-1';
  expect((await library.list('before')).captures).toMatchObject([{ id, origin: 'sample', sizeBytes: 7 }]);
  expect(await library.openFile(id)).toMatchObject({ fileName: 'raw.txt', size: 7 });
  for (const change of [
    library.rename(id, 'x'),
    library.trash(id),
    library.tag(id, ['x']),
    library.editNotes(id, { put: [noteOf('x')], remove: [] }),
  ]) {
    await expect(change).rejects.toMatchObject({ code: 'read-only' });
  }
  expect(await library.saveCache(id, chunksOf('x'))).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(['capture.json', 'raw.txt']);
});

test('refuses a path that is not a folder in one line', async () => {
  const path = join(tempFolder(), 'file');
  writeFileSync(path, '');
  await expect(openLibrary(path)).rejects.toMatchObject({ code: 'not-a-folder', remedy: oneLine });
});

test.each(['9999-12-31T23:59:59Z', '+010000-01-01T00:00:00Z', '+275760-09-12T00:00:00Z'])(
  'keeps captures that are made at %s',
  async (time) => {
    const library = await openLibrary(join(tempFolder(), 'library'), { now: () => Date.parse(time) });
    const id = await addCapture(library, 'far.txt');
    const { captures, damaged } = await library.list();
    expect([captures.map((capture) => [capture.id, capture.createdAt]), damaged]).toEqual([
      [[id, Date.parse(time)]],
      [],
    ]);
    library.close();
  },
);
