import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { keepUnknown } from '#app/engine/disk/keep-unknown.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { openLoadTests } from '#app/engine/loads/load-tests.ts';
import { noteOf } from '../../../support/note.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';

it.each([
  ['a field', { a: 1, x: 2 }, { a: 1 }, { a: 3 }, { a: 3, x: 2 }],
  ['a nested field', { a: { b: 1, x: 2 } }, { a: { b: 1 } }, { a: { b: 3 } }, { a: { b: 3, x: 2 } }],
  ['nothing of what was removed', { a: 1, b: { x: 2 } }, { a: 1, b: {} }, { a: 1 }, { a: 1 }],
  [
    'items by their ID',
    [
      { id: 'a', x: 1 },
      { id: 'b', x: 2 },
    ],
    [{ id: 'a' }, { id: 'b' }],
    [{ id: 'b', n: 1 }, { id: 'c' }],
    [{ id: 'b', n: 1, x: 2 }, { id: 'c' }],
  ],
  ['items by their content', [{ n: 1, x: 1 }], [{ n: 1 }], [{ n: 0 }, { n: 1 }], [{ n: 0 }, { n: 1, x: 1 }]],
  ['nothing of a list with unreadable items', [7, { id: 'a', x: 1 }], [{ id: 'a' }], [{ id: 'a' }], [{ id: 'a' }]],
  ['no prototype', JSON.parse('{"a": 1, "__proto__": {"x": 1}}'), { a: 1 }, { a: 1 }, { a: 1 }],
])('keeps %s', (_what, stored, known, changed, kept) => {
  expect(keepUnknown(stored, known, changed)).toEqual(kept);
});

/** Adds a field to the document and to the first item of each of its lists, as a newer version may. */
function extend(path: string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('{', '{ "hologram": [1, {"deep": 2}],').replace(/\[\s*\{/, '$& "hologram": true,'));
}

const holograms = (path: string): number => readFileSync(path, 'utf8').split('"hologram"').length - 1;

it('an edit keeps the unknown fields of captures, experiments, load tests and notes', async () => {
  const library = await openLibrary(join(tempFolder(), 'library'));
  const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
  await library.editNotes(id, { put: [noteOf('one')], remove: [] });
  const [capture, notes] = ['capture.json', 'notes.json'].map((name) => join(library.path, id, name));
  for (const path of [capture!, notes!]) extend(path);
  await library.rename(id, 'renamed');
  await library.tag(id, ['x']);
  await library.editNotes(id, { put: [{ ...noteOf('two'), id: 'second' }], remove: [] });
  expect([holograms(capture!), holograms(notes!)]).toEqual([1, 2]);
  expect(await library.get(id)).toMatchObject({ name: 'renamed', tags: ['x'] });
  expect(await library.notes(id)).toHaveLength(2);

  const experiments = await openExperiments(library);
  const { experiment } = await experiments.create({ name: 'e', before: [{ id }], after: [] });
  const document = join(library.path, '.experiments', experiment.id, 'experiment.json');
  extend(document);
  await experiments.change(experiment.id, { name: 'changed' });
  expect(holograms(document)).toBe(2);

  const loads = await openLoadTests(library);
  const writer = await loads.create({ name: 'l', host: null, plan: null });
  const load = join(library.path, '.loads', writer.id, 'load.json');
  extend(load);
  await writer.finish('stopped');
  expect(holograms(load)).toBe(1);
});
