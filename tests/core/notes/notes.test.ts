import { expect, test } from 'vitest';
import { notesSchema, type Note, type NoteAnchor } from '#core/contract/notes.ts';
import { changeNotes, reverseChange } from '#core/notes/change-notes.ts';
import { noteTitle } from '#core/notes/note-title.ts';
import { orderNotes } from '#core/notes/order-notes.ts';
import { programKey } from '#core/notes/same-program.ts';
import { searchNotes } from '#core/notes/search-notes.ts';
import { upgradeNotes } from '#core/notes/upgrade-notes.ts';
import { noteOf } from '../../support/note.ts';

const noteAt = (id: string, created: number | null, own: Partial<Note> = {}): Note => noteOf(id, { created, ...own });

test('reverts a change to the previous state, with any ids', () => {
  const before = [noteAt('a', 1), noteAt('__proto__', 2), noteAt('c', 3)];
  const change = { put: [noteAt('a', 1, { text: 'new' }), noteAt('d', 4)], remove: ['__proto__', 'unknown'] };
  const after = changeNotes(before, change)!;
  expect(after.map(({ text }) => text)).toEqual(['new', 'c', 'd']);
  const back = changeNotes(after, reverseChange(before, change))!;
  expect(back.toSorted((a, b) => a.created! - b.created!)).toEqual(before);
});

test('refuses more notes than a document can hold, and lets an overfull one shrink', () => {
  const many = Array.from({ length: 2001 }, (_, at) => noteAt(`n${at}`, at));
  expect(changeNotes(many.slice(1), { put: [noteAt('one more', 0)], remove: [] })).toBeNull();
  expect(changeNotes(many, { put: [], remove: ['n3'] })).toHaveLength(2000);
});

test('orders notes by age, so that a new note does not change others’ numbers', () => {
  const at = (start: number): NoteAnchor => ({ kind: 'range', start, end: null });
  const notes = [
    noteAt('c', 9),
    noteAt('m2', null, { anchor: at(5) }),
    noteAt('b', 4),
    noteAt('m1', null, { anchor: at(-3) }),
  ];
  expect(orderNotes(notes).map(({ id }) => id)).toEqual(['m1', 'm2', 'b', 'c']);
});

test('finds every word in text, author, colour and function', () => {
  const func = { name: 'json.Marshal', module: 'apiserver' };
  const notes = [
    noteAt('a', 1, { text: 'Twice **encoded**', author: 'Ada', colour: 'red' }),
    noteAt('b', 2, { anchor: { kind: 'delta', of: { kind: 'path', direction: 'top-down', path: [func] } } }),
  ];
  const ids = (query: string): string[] => searchNotes(notes, query).map(({ id }) => id);
  expect([ids(''), ids('ADA encoded red'), ids('marshal apis'), ids('ada marshal')]).toEqual([
    ['a', 'b'],
    ['a'],
    ['b'],
    [],
  ]);
});

test('uses the first non-empty line as the title, without its Markdown', () => {
  expect(noteTitle('\n\n## Dump removed\nmore')).toBe('Dump removed');
  expect(noteTitle('> - 1. x')).toBe('x');
  expect(noteTitle('***')).toBe('***');
  expect(noteTitle('- **Reads** `a[*]` *twice*, [see](https://example.org/x)')).toBe('Reads a[*] twice, see');
  expect(noteTitle('walk(*a, *b) ** 2')).toBe('walk(*a, *b) ** 2');
  expect(noteTitle('😀'.repeat(300))).toBe(`${'😀'.repeat(200)}…`);
});

test('converts text and marks of version 1 to notes', () => {
  const mark = { id: 'text-1', name: 'deploy', start: 5e9, end: null };
  const long = `${'word\n'.repeat(5000)}end`;
  const upgraded = { ...upgradeNotes({ schemaVersion: 1, text: long, marks: [mark] }), schemaVersion: 2 };
  const { notes } = notesSchema.parse(upgraded);
  expect(notes.map(({ id }) => id)).toEqual(['text-1-', 'text-2', 'text-1']);
  expect(notes[0]!.text + notes[1]!.text).toBe(long);
  expect(notes[2]).toEqual(
    noteAt('text-1', null, { text: 'deploy', anchor: { kind: 'range', start: 5e9, end: null } }),
  );
  expect(upgradeNotes({ schemaVersion: 1, text: '' })).toMatchObject({ notes: [] });
  for (const bad of [
    { text: 5 },
    { text: '', marks: {} },
    { text: '', marks: [null] },
    { text: '', marks: [{ name: 1 }] },
  ])
    expect(notesSchema.safeParse({ ...upgradeNotes(bad), schemaVersion: 2 }).success).toBe(false);
});

test('captures of one program share a key, whether it was attached to or launched', () => {
  const collector = { id: 'perf', toolVersion: null, exitCode: 0, signal: null };
  const launched = (commands: string[][]): string | null =>
    programKey({ name: 'a run', process: null, collector: { ...collector, commands } });
  expect(
    launched([
      ['perf', 'record', '-p', '$!'],
      ['/opt/app/server', '--port', '80'],
    ]),
  ).toBe('program server');
  expect(launched([['perf', 'record', '--', './server']])).toBe('program server');
  expect(launched([['perf', 'record', '-a']])).toBeNull();
});
