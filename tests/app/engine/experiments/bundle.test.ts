import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { experimentFileName } from '#core/contract/experiment-file.ts';
import { exportBundle } from '#app/engine/experiments/export-bundle.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { importBundle } from '#app/engine/experiments/import-bundle.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { bytesOf, exported, importInto, makeExperiment, newPlace, type Place } from './bundles.ts';
import { noteOf } from '../../../support/note.ts';

let here: Place;
let there: Place;
let id: string;

beforeEach(async () => {
  [here, there] = [await newPlace(), await newPlace()];
  id = await makeExperiment(here);
});

test('moves an experiment to another library as one file, with its captures, notes and options', async () => {
  await here.experiments.change(id, { options: { normalisation: 'per-request' }, before: { label: 'off' } });
  const imported = await importInto(there, await exported(here, id));
  expect(imported).toMatchObject({ added: 2, known: 0, missing: [] });
  const original = (await here.experiments.get(id)).experiment;
  expect(imported.experiment).toEqual({
    ...original,
    id: imported.experiment.id,
    changedAt: imported.experiment.changedAt,
  });
  const [before, after] = [original.before.captures[0]!.id, original.after.captures[0]!.id];
  expect(await there.library.get(after)).toEqual({ ...(await here.library.get(after)), origin: 'imported' });
  expect(await there.library.notes(after)).toEqual([noteOf('The cache is on.')]);
  expect(await there.experiments.notes(imported.experiment.id)).toEqual([noteOf('Decided on Friday.')]);
  const { path } = await there.library.rawFile(after, 'raw.perf.data');
  expect([...readFileSync(path)]).toEqual([1, 2, 0, 255]);
  expect(readFileSync((await there.library.openFile(before)).path, 'utf8')).toBe('main;work 3\n');
  expect(readdirSync(join(there.library.path, '.tmp'))).toEqual([]);
});

test('a second import reuses the captures, and the experiment unless that was changed', async () => {
  const bytes = await exported(here, id);
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

test('imports at the same time add the captures and the experiment once', async () => {
  const bytes = await exported(here, id);
  const library = await openLibrary(there.library.path);
  const other = { library, experiments: await openExperiments(library) };
  const imported = await Promise.all([there, other, there].map((place) => importInto(place, bytes)));
  expect(imported.map(({ added }) => added).sort((a, b) => a - b)).toEqual([0, 0, 2]);
  expect(new Set(imported.map(({ experiment }) => experiment.id)).size).toBe(1);
  expect((await there.experiments.list()).experiments).toHaveLength(1);
  expect((await there.library.list()).captures).toHaveLength(2);
  expect(readdirSync(join(there.library.path, '.tmp'))).toEqual([]);
});

test('adds notes that are missing and leaves the others unchanged', async () => {
  const first = await importInto(there, await exported(here, id));
  const [after, own] = [first.experiment.after.captures[0]!.id, first.experiment.id];
  const mine = noteOf('The cache is on.', { text: 'edited here' });
  await there.library.editNotes(after, { put: [mine], remove: [] });
  await here.library.editNotes(after, { put: [noteOf('later')], remove: [] });
  await here.experiments.editNotes(id, { put: [noteOf('__proto__')], remove: [] });
  expect((await importInto(there, await exported(here, id))).experiment.id).toBe(own);
  expect(await there.library.notes(after)).toEqual([mine, noteOf('later')]);
  expect((await there.experiments.notes(own)).map((note) => note.id)).toEqual(['Decided on Friday.', '__proto__']);
});

test('does not reuse a different capture with the same ID', async () => {
  const imported = await importInto(there, await exported(here, id));
  const before = imported.experiment.before.captures[0]!.id;
  writeFileSync((await here.library.openFile(before)).path, 'main;work 4\n');
  const again = await importInto(there, await exported(here, id));
  expect(again).toMatchObject({ added: 1, known: 1 });
  const other = again.experiment.before.captures[0]!.id;
  expect(other).not.toBe(before);
  expect(readFileSync((await there.library.openFile(before)).path, 'utf8')).toBe('main;work 3\n');
  expect(readFileSync((await there.library.openFile(other)).path, 'utf8')).toBe('main;work 4\n');
});

test('keeps naming missing captures on the other side', async () => {
  const { experiment } = await here.experiments.get(id);
  const before = experiment.before.captures[0]!;
  await here.library.trash(before.id);
  const { missing, chunks } = await exportBundle(here.library, here.experiments, id);
  expect(missing).toBe(1);
  const imported = await importInto(there, await bytesOf(chunks));
  expect(imported).toMatchObject({ added: 1, missing: [{ id: before.id, name: before.name, why: 'missing' }] });
});

test('is unpacked by tar, and reads what tar has packed', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'bundle'), await exported(here, id));
  execFileSync('tar', ['xzf', 'bundle'], { cwd: folder });
  const listed = execFileSync('tar', ['tzf', 'bundle'], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  expect(listed[0]).toBe('experiment.json');
  execFileSync('tar', ['czf', 'again', '--no-recursion', ...listed.map((name) => `./${name}`)], { cwd: folder });
  expect(await importInto(there, readFileSync(join(folder, 'again')))).toMatchObject({ added: 2, missing: [] });
});

test('transfers files of many chunks, also from a reader that reuses its buffer', async () => {
  const noise = randomBytes(3 << 20);
  const writer = await here.library.create({ name: 'large', origin: 'recorded', primaryFile: 'raw.txt' });
  await writer.append('raw.txt', noise);
  await writer.finish();
  await here.experiments.change(id, { after: { put: [{ id: writer.id }] } });
  const folder = tempFolder();
  writeFileSync(join(folder, 'bundle'), await exported(here, id));
  const { library, experiments } = there;
  const chunks = fileSource(join(folder, 'bundle')).chunks();
  expect(await importBundle(library, experiments, chunks)).toMatchObject({ added: 3, missing: [] });
  const { path } = await library.openFile(writer.id);
  expect(readFileSync(path).equals(noise)).toBe(true);
});

test('reports a running recording and a missing file before the first byte', async () => {
  const writer = await here.library.create({ name: 'live', origin: 'recorded', primaryFile: 'raw.txt' });
  await here.experiments.change(id, { after: { put: [{ id: writer.id }] } });
  await expect(exportBundle(here.library, here.experiments, id)).rejects.toMatchObject({ code: 'in-use' });
  await writer.finish();
  await expect(exportBundle(here.library, here.experiments, id)).rejects.toMatchObject({ code: 'file-missing' });
  await expect(exportBundle(here.library, here.experiments, 'experiment-no')).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('has a file name that is valid on every system', () => {
  expect(experimentFileName('cache: off/on → 2')).toBe('cache- off-on → 2.flamebench-experiment');
  expect(experimentFileName('../..')).toBe('experiment.flamebench-experiment');
  expect(experimentFileName('x'.repeat(300))).toHaveLength(80 + '.flamebench-experiment'.length);
});

test('does not name the machine’s folders', async () => {
  const text = gunzipSync(await exported(here, id)).toString('latin1');
  expect(text).not.toContain(here.library.path);
});
