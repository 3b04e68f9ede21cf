import { describe, expect, it } from 'vitest';
import type { Note } from '#core/contract/notes.ts';
import { changeNotes } from '#core/notes/change-notes.ts';
import { EngineError } from '../../../../renderer/state/engine-client.ts';
import { marksOf, renamedMark } from '../../../../renderer/state/notes/marks.ts';
import { createNoteBook, type NoteBook, type NoteKeeper } from '../../../../renderer/state/notes/note-book.ts';
import { listNotes, pinsOf, rowPins } from '../../../../renderer/state/notes/pins.ts';
import { markOf, noteOf } from '../../../support/note.ts';

interface Kept {
  notes: Note[];
  fails?: boolean;
}

function keeperOf(kept: Kept, earlier: readonly Note[] = []): NoteKeeper {
  return {
    read: async () => kept.notes,
    readEarlier: async () => [{ captureId: 'old', captureName: 'Old', notes: [...earlier] }],
    change: async (_owner, change) => {
      if (kept.fails === true) {
        throw new EngineError({ code: 'read-only', message: 'The library is read-only.', remedy: null });
      }
      kept.notes = changeNotes(kept.notes, change)!;
      return kept.notes;
    },
  };
}

const bookOf = (keeper: NoteKeeper | null): NoteBook =>
  createNoteBook({ keeper, willChange: () => undefined, changed: () => undefined });
const put = (...notes: Note[]) => ({ put: notes, remove: [] });
const ids = (book: NoteBook): string[] => book.store.get().notes.map(({ id }) => id);
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('createNoteBook', () => {
  it('shows what the library has, numbered by age, and keeps changes there', async () => {
    const kept: Kept = { notes: [noteOf('b', { created: 5 }), noteOf('a', { created: 1 })] };
    const book = bookOf(keeperOf(kept));
    await book.follow('capture');
    expect(ids(book)).toEqual(['a', 'b']);
    book.change(put(noteOf('c', { created: 3 })));
    book.change({ put: [noteOf('a', { created: 1, text: 'renamed' })], remove: ['b'] });
    expect(ids(book)).toEqual(['a', 'c']);
    await settled();
    expect(kept.notes.map(({ text }) => text)).toEqual(['renamed', 'c']);
  });

  it('undoes and redoes changes, keeping what another window added', async () => {
    const kept: Kept = { notes: [noteOf('a', { created: 1 })] };
    const book = bookOf(keeperOf(kept));
    await book.follow('capture');
    book.change(put(noteOf('b', { created: 2 })));
    book.change({ put: [], remove: ['a'] });
    await settled();
    kept.notes = [...kept.notes, noteOf('theirs', { created: 3 })];
    await book.refresh();
    expect([ids(book), book.position()]).toEqual([['b', 'theirs'], 2]);
    book.goTo(0);
    expect(ids(book)).toEqual(['a', 'theirs']);
    book.goTo(1);
    expect(ids(book)).toEqual(['a', 'b', 'theirs']);
    await settled();
    expect(new Set(kept.notes.map(({ id }) => id))).toEqual(new Set(['a', 'b', 'theirs']));
    // A new change clears the redo steps.
    book.change(put(noteOf('d', { created: 4 })));
    book.goTo(9);
    expect([ids(book), book.position()]).toEqual([['a', 'b', 'theirs', 'd'], 2]);
  });

  it('holds the notes of a file outside the library, and saves them when the file is kept', async () => {
    const kept: Kept = { notes: [] };
    const book = bookOf(keeperOf(kept));
    await book.follow(null);
    book.change(put(noteOf('a')));
    await settled();
    expect(kept.notes).toEqual([]);
    await book.follow('capture');
    expect(kept.notes).toEqual([noteOf('a')]);
  });

  it('shows notes that could not be saved, and why', async () => {
    const kept: Kept = { notes: [], fails: true };
    const book = bookOf(keeperOf(kept));
    await book.follow('capture');
    book.change(put(noteOf('a')));
    await settled();
    expect(ids(book)).toEqual(['a']);
    expect(book.store.get().problem).toMatchObject({ message: 'The library is read-only.' });
    await book.refresh();
    expect(ids(book)).toEqual(['a']);
  });

  it('lists notes of earlier captures until they are copied', async () => {
    const old = noteOf('old');
    const book = bookOf(keeperOf({ notes: [] }, [old, noteOf('other')]));
    await book.follow('capture');
    const listed = () => book.store.get().earlier.flatMap(({ notes }) => notes.map(({ id }) => id));
    expect(listed()).toEqual(['old', 'other']);
    book.change(put(old));
    expect([ids(book), listed()]).toEqual([['old'], ['other']]);
  });
});

describe('marks', () => {
  it('are the notes on time ranges in order; renaming one keeps its other lines', () => {
    const notes = [markOf('b', 5, 7, '# storm\nGC ran'), noteOf('whole'), markOf('a', 1)];
    const marks = marksOf(notes);
    expect(marks.map(({ name, start, end }) => [name, start, end])).toEqual([
      ['a', 1, null],
      ['storm', 5, 7],
    ]);
    expect(renamedMark(marks[1]!, 'GC', 9)).toEqual({ ...notes[0], text: 'GC\nGC ran', edited: 9 });
  });
});

describe('pinsOf', () => {
  it('puts numbers on frames and functions, and none where a note is orphaned', () => {
    const earlier = [{ captureId: 'old', captureName: 'Old', notes: [noteOf('e')] }];
    const listed = listNotes([noteOf('frame', { colour: 'red' }), noteOf('func'), noteOf('gone')], earlier);
    const pins = pinsOf(listed, [
      { fit: 'exact', nodes: [4], funcs: [1] },
      { fit: 'exact', nodes: [], funcs: [1, 2] },
      { fit: 'orphaned', nodes: [], funcs: [] },
      { fit: 'function', nodes: [], funcs: [3] },
    ]);
    const numbers = (func: number, node: number | null) => rowPins(pins).pins!(func, node).map(({ number }) => number);
    expect([numbers(1, null), numbers(1, 4), numbers(1, 5), numbers(2, null), numbers(9, null)]).toEqual([
      [1, 2],
      [1, 2],
      [2],
      [2],
      [],
    ]);
    expect(pins.all.map(({ number, isFaint, node, func }) => [number, isFaint, node, func])).toEqual([
      [1, false, 4, null],
      [2, false, null, 1],
      [2, false, null, 2],
      [4, true, null, 3],
    ]);
    expect(rowPins(pinsOf(listed, []))).toEqual({});
  });
});
