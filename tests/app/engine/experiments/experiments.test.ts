import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ExperimentOptions } from '#core/contract/experiment.ts';
import { openExperiments, keepSides, type Experiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { ended, printed, startChild } from '../support/child.ts';
import { tempFolder } from '../support/temp-folder.ts';

let library: Library;
let experiments: Experiments;
let captures: [before: string, after: string];

beforeEach(async () => {
  library = await openLibrary(join(tempFolder(), 'library'));
  experiments = await openExperiments(library);
  captures = [await importCapture('before.folded'), await importCapture('after.folded')];
});

const importCapture = async (name: string): Promise<string> =>
  (await library.importFile(name, chunksOf('main;work 3\n'))).id;

async function make(name: string | null = null) {
  const [before, after] = captures;
  const { experiment } = await experiments.create({ name, before: [{ id: before }], after: [{ id: after }] });
  return experiment;
}

const change = async (id: string, what: Parameters<Experiments['change']>[1]) =>
  (await experiments.change(id, what)).experiment;

test('creates, reads and changes an experiment field by field, with notifications', async () => {
  let told = 0;
  const stop = library.onChange(() => told++);
  const made = await make();
  expect(made).toMatchObject({
    schemaVersion: 1,
    name: 'before.folded → after.folded',
    before: { label: '', captures: [{ id: captures[0], name: 'before.folded', requests: null }] },
    after: { captures: [{ id: captures[1] }] },
    notes: '',
    options: { normalisation: null, rules: { off: [], user: [], ignoreModules: false }, transforms: [] },
  });
  expect(told).toBeGreaterThan(0);
  const other = await openExperiments(await openLibrary(library.path));
  expect(await other.get(made.id)).toEqual({ experiment: made, missing: [] });
  await other.change(made.id, { notes: 'The cache is on.' });
  await change(made.id, { name: 'cache', before: { label: 'off', put: [{ id: captures[0], requests: 12 }] } });
  await change(made.id, { options: { normalisation: 'per-request' } });
  const changed = await change(made.id, { after: { timeRange: { start: 0, end: 5e9 }, threads: ['worker'] } });
  expect(changed).toMatchObject({
    name: 'cache',
    notes: 'The cache is on.',
    before: { label: 'off', captures: [{ id: captures[0], requests: 12 }] },
    after: { timeRange: { start: 0, end: 5e9 }, threads: ['worker'], valueType: null },
    options: { normalisation: 'per-request', rules: { off: [] } },
    createdAt: made.createdAt,
  });
  expect((await other.list()).experiments).toEqual([{ experiment: changed, missing: [] }]);
  expect((await library.list()).damaged).toEqual([]);
  stop();
});

test('a capture occurs once on a side, may be on both, and can be moved', async () => {
  const { id } = await make('a');
  const [before, after] = captures;
  const twice = await change(id, { before: { put: [{ id: before }, { id: after }, { id: after }] } });
  expect(twice.before.captures.map((capture) => capture.id)).toEqual([before, after]);
  expect(twice.after.captures.map((capture) => capture.id)).toEqual([after]);
  const moved = await change(id, { before: { remove: [before] }, after: { put: [{ id: before }], label: 'new' } });
  expect(moved.before.captures.map((capture) => capture.id)).toEqual([after]);
  const swapped = await change(id, { swap: true });
  expect(swapped.before).toEqual(moved.after);
  expect(swapped.after).toEqual(moved.before);
});

test('replaces options one by one, and refuses unknown captures', async () => {
  const { id } = await make('a');
  const rules = {
    off: ['go-closures'],
    user: [{ pattern: '_v\\d', ignoreCase: false, replacement: '' }],
    ignoreModules: true,
    sameProgram: true,
  };
  const options: Partial<ExperimentOptions> = { rules, normalisation: 'share' };
  await change(id, { options });
  expect((await change(id, { options: { normalisation: null } })).options).toMatchObject({
    rules,
    normalisation: null,
  });
  await expect(experiments.change(id, { after: { put: [{ id: 'no-such' }] } })).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('no-such'),
  });
  await expect(experiments.create({ name: null, before: [{ id: '../x' }], after: [] })).rejects.toMatchObject({
    code: 'not-found',
  });
  for (const wrong of ['experiment-none', '../../etc', captures[0], '']) {
    await expect(experiments.get(wrong)).rejects.toMatchObject({ code: 'not-found' });
    await expect(experiments.trash(wrong)).rejects.toMatchObject({ code: 'not-found' });
  }
});

test('names missing captures, whatever happened to them', async () => {
  const third = await importCapture('third.folded');
  const { id } = await make('a');
  await change(id, { after: { put: [{ id: third }] } });
  await library.rename(captures[0], 'called otherwise');
  await change(id, { notes: 'seen' });
  await library.trash(captures[0]);
  writeFileSync(join(library.path, captures[1], 'capture.json'), 'broken');
  const { missing, experiment } = await experiments.get(id);
  expect(missing).toEqual([
    { id: captures[0], name: 'before.folded', why: 'trashed' },
    { id: captures[1], name: 'after.folded', why: 'damaged' },
  ]);
  expect(experiment.after.captures.map((capture) => capture.name)).toEqual(['after.folded', 'third.folded']);
  // A missing capture may stay, get a request count, or be removed.
  await experiments.change(id, {
    before: { put: [{ id: captures[0], requests: 7 }] },
    after: { remove: [captures[1]] },
  });
  await library.restore(captures[0]);
  const back = await experiments.get(id);
  expect(back.missing).toEqual([]);
  expect(back.experiment.before.captures).toEqual([{ id: captures[0], name: 'called otherwise', requests: 7 }]);
});

test('keeps the captures of a trashed experiment, which can be restored', async () => {
  const made = await make('a');
  await experiments.trash(made.id);
  expect(await experiments.list()).toEqual({ experiments: [], damaged: [] });
  expect((await library.list()).captures).toHaveLength(2);
  await expect(experiments.change(made.id, { notes: 'x' })).rejects.toMatchObject({ code: 'not-found' });
  expect(await experiments.restore(made.id)).toEqual({ experiment: made, missing: [] });
});

test('shows an unreadable experiment as damaged and does not change it', async () => {
  const { id } = await make('a');
  const path = join(library.path, '.experiments', id, 'experiment.json');
  const newer = readFileSync(path, 'utf8').replace('"schemaVersion": 1', '"schemaVersion": 2');
  for (const [text, message] of [
    [newer, 'newer Flamebench (schema 2'],
    ['{', 'experiment.json: '],
    ['{"schemaVersion": 1, "__proto__": {"id": "x"}}', 'experiment.json: id'],
  ] as const) {
    writeFileSync(path, text);
    const { experiments: states, damaged } = await experiments.list();
    expect(states).toEqual([]);
    expect(damaged).toEqual([{ id, message: expect.stringContaining(message), remedy: expect.any(String) }]);
    await expect(experiments.change(id, { notes: 'x' })).rejects.toMatchObject({ code: 'damaged' });
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  mkdirSync(join(library.path, '.experiments', 'experiment-empty'));
  mkdirSync(join(library.path, '.experiments', 'something else'));
  expect((await experiments.list()).damaged.map((row) => row.id).sort()).toEqual(['experiment-empty', id].sort());
});

test('keeps all changes by several concurrent processes', async () => {
  const { id } = await make('a');
  const children = [1, 2, 3].map((child) => startChild('note-experiment.ts', [library.path, id, '15', `${child}`]));
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
  const { experiment } = await experiments.get(id);
  expect(experiment.before.captures.map(({ requests }) => requests)).toEqual([15]);
  expect(experiment.after.captures.map(({ requests }) => requests)).toEqual([15]);
  expect(experiment.notes).toBe('15 by 3');
  expect(readdirSync(join(library.path, '.experiments', id))).toEqual(['experiment.json']);
});

test('a process killed while changing an experiment leaves the old or the new one', async () => {
  const { id } = await make('a');
  for (let round = 0; round < 3; round++) {
    const child = startChild('note-experiment.ts', [library.path, id, '100000', '1']);
    await printed(child, (text) => text.length > 5);
    const exit = ended(child);
    child.kill('SIGKILL');
    await exit;
    const { experiment } = await experiments.get(id);
    expect(experiment.before.captures).toHaveLength(1);
    expect((await change(id, { notes: `after ${round}` })).notes).toBe(`after ${round}`);
  }
});

test('creates an experiment from a recording, or adds to one', async () => {
  const [before, after] = [await library.get(captures[0]), await library.get(captures[1])];
  const keep = keepSides(experiments);
  const id = await keep({ experimentId: null, name: 'recorded', before: [before], after: [], wholeRuns: [] });
  expect(await keep({ experimentId: id, name: null, before: [], after: [after], wholeRuns: [after.id] })).toBe(id);
  expect((await experiments.get(id)).experiment).toMatchObject({
    name: 'recorded',
    before: { captures: [{ id: before.id, requests: null }] },
    after: { captures: [{ id: after.id, requests: 1 }] },
  });
});
