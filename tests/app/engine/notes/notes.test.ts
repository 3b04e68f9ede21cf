import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Note, NoteAnchor } from '#core/contract/notes.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { earlierNotes } from '#app/engine/notes/earlier-notes.ts';
import { createNoteCounts } from '#app/engine/notes/note-counts.ts';
import { chunksOf } from '../support/bytes.ts';
import { markOf, noteOf } from '../../../support/note.ts';
import { tempFolder } from '../support/temp-folder.ts';

const path = (): string => join(tempFolder(), 'library');
const put = (...notes: Note[]) => ({ put: notes, remove: [] });
const func = (name: string): NoteAnchor => ({ kind: 'function', func: { name, module: '' } });

async function addCapture(library: Library, name: string): Promise<string> {
  return (await library.importFile(name, chunksOf('main;work 3\n'))).id;
}

test('notes change one by one, so concurrent changes to different notes are both kept', async () => {
  const library = await openLibrary(path());
  const id = await addCapture(library, 'a.folded');
  expect(await library.notes(id)).toEqual([]);
  const deploy = markOf('one', 5e9);
  const storm = markOf('__proto__', -1, 2.5, 'GC </script>\u0000');
  await library.editNotes(id, put(deploy));
  await Promise.all([library.editNotes(id, put(noteOf('words'))), library.editNotes(id, put(storm))]);
  expect(new Set(await library.notes(id))).toEqual(new Set([deploy, noteOf('words'), storm]));
  const renamed = { ...deploy, text: 'deploy 2' };
  expect(await library.editNotes(id, { put: [renamed], remove: [storm.id, 'words', 'unknown'] })).toEqual([renamed]);
  await library.editNotes(id, put(...Array.from({ length: 1999 }, (_, at) => noteOf(`n${at}`))));
  await expect(library.editNotes(id, put(noteOf('one more')))).rejects.toMatchObject({ code: 'too-many' });
  expect(await library.notes(id)).toHaveLength(2000);
});

test('refuses notes that would not fit in an export, and keeps the existing ones', async () => {
  const library = await openLibrary(path());
  const id = await addCapture(library, 'a.folded');
  const long = Array.from({ length: 300 }, (_, at) => noteOf(`n${at}`, { text: 'x'.repeat(19_999) }));
  await library.editNotes(id, put(...long.slice(0, 200)));
  await expect(library.editNotes(id, put(...long))).rejects.toMatchObject({ code: 'too-large' });
  expect(await library.notes(id)).toHaveLength(200);
});

test('reads a version 1 file as notes, and writes version 2 at the next change', async () => {
  const library = await openLibrary(path());
  const id = await addCapture(library, 'a.folded');
  const file = join(library.path, id, 'notes.json');
  const marks = [{ id: 'm', name: 'deploy', start: 5e9, end: null }];
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, text: 'dump removed', marks }));
  const upgraded = [noteOf('text-1', { text: 'dump removed' }), markOf('m', 5e9, null, 'deploy')];
  expect(await library.notes(id)).toEqual(upgraded);
  expect(readFileSync(file, 'utf8')).toContain('"schemaVersion":1');
  expect(await library.editNotes(id, { put: [], remove: ['text-1'] })).toEqual([upgraded[1]]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ schemaVersion: 2, notes: [upgraded[1]] });
});

test('an experiment has its own notes, separate from its captures’', async () => {
  const library = await openLibrary(path());
  const experiments = await openExperiments(library);
  const id = await addCapture(library, 'a.folded');
  const { experiment } = await experiments.create({ name: 'e', before: [{ id }], after: [] });
  const target = { kind: 'function', func: { name: 'work', module: '' } } as const;
  const delta = noteOf('d', { anchor: { kind: 'delta', of: target } });
  expect(await experiments.editNotes(experiment.id, put(delta))).toEqual([delta]);
  expect(await experiments.notes(experiment.id)).toEqual([delta]);
  expect(await library.notes(id)).toEqual([]);
  await library.editNotes(id, put(noteOf('a'), noteOf('b')));
  const counts = createNoteCounts(library.path);
  expect(await counts()).toEqual({ [id]: 2, [experiment.id]: 1 });
  writeFileSync(join(library.path, id, 'notes.json'), 'my words');
  expect(await counts()).toEqual({ [experiment.id]: 1 });
  await expect(experiments.notes('experiment-20260101-000000-00000000')).rejects.toMatchObject({ code: 'not-found' });
  for (const bad of ['../x', 'experiment-../../x', '']) {
    await expect(experiments.editNotes(bad, put(delta))).rejects.toMatchObject({ code: 'not-found' });
    await expect(library.editNotes(bad, put(delta))).rejects.toMatchObject({ code: 'not-found' });
  }
});

test('finds notes on functions in earlier captures of the same program, each once', async () => {
  let now = 1;
  const library = await openLibrary(path(), { now: () => (now += 1000) });
  const [first, other, second, third] = [
    await addCapture(library, 'server.folded'),
    await addCapture(library, 'client.folded'),
    await addCapture(library, 'server.folded'),
    await addCapture(library, 'server.folded'),
  ];
  const old = noteOf('a', { anchor: func('work'), text: 'first' });
  await library.editNotes(first, put(old, noteOf('b', { anchor: func('main') }), markOf('m', 1), noteOf('whole')));
  await library.editNotes(other, put(noteOf('c', { anchor: func('work') })));
  await library.editNotes(second, put({ ...old, text: 'second' }));
  await library.editNotes(third, put(noteOf('d', { anchor: func('work') })));
  const found = async (id: string): Promise<string[][]> =>
    (await earlierNotes(library, id)).map(({ captureId, notes }) => [captureId, ...notes.map(({ text }) => text)]);
  expect(await found(third)).toEqual([
    [second, 'second'],
    [first, 'b'],
  ]);
  expect(await found(second)).toEqual([[first, 'b']]);
  expect(await found(first)).toEqual([]);
});
