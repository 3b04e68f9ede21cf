import { createContext, useContext, useEffect, useMemo, useState, type RefObject } from 'react';
import type { NoteAnchor } from '#core/contract/notes.ts';
import type { AnchoredNote } from '#core/notes/anchor-notes.ts';
import { useStore } from '../store.ts';
import { listNotes, NO_PINS, pinsOf, type ListedNote, type Pins } from './pins.ts';
import type { NoteBook } from './note-book.ts';
import { takeAnswer } from '../../ui/take-answer.ts';

/** The notes of the enclosing view or comparison, with their places in it. */
export interface NotesAround {
  readonly book: NoteBook;
  readonly pins: Pins;
  /** Goes to the note's subject; selects nothing if that does not exist here. */
  readonly goTo: (note: ListedNote) => void;
  /** Shows a note in the list. */
  readonly open: (id: string) => void;
  /** Noun for the owner of the notes. */
  readonly noun: 'capture' | 'experiment';
}

export const NotesContext = createContext<NotesAround | null>(null);

export function useNotes(): NotesAround {
  const around = useContext(NotesContext);
  if (around === null) throw new Error('rendered outside of a view with notes');
  return around;
}

export type AskPlaces = (anchors: readonly NoteAnchor[]) => Promise<readonly AnchoredNote[]>;

/**
 * Returns the pins of the notes. `ask` finds notes in the analysis on screen and must keep its identity while that is
 * unchanged; null if there is no analysis.
 */
export function usePins(book: NoteBook, ask: AskPlaces | null): Pins {
  const notes = useStore(book.store, (state) => state.notes);
  const earlier = useStore(book.store, (state) => state.earlier);
  const listed = useMemo(() => listNotes(notes, earlier), [notes, earlier]);
  const anchors = useMemo(() => listed.map(({ note }) => note.anchor), [listed]);
  // By anchor, so that notes keep their places while their list is read again.
  const [found, setFound] = useState<ReadonlyMap<string, AnchoredNote>>(NOTHING_FOUND);
  useEffect(() => {
    if (ask === null || anchors.length === 0) return undefined;
    return takeAnswer(
      ask(anchors),
      (places) => setFound(new Map(places.map((place, at) => [JSON.stringify(anchors[at]), place]))),
      // The analysis was replaced in the meantime; the new one asks again.
      () => undefined,
    );
  }, [ask, anchors]);
  return useMemo(() => {
    const places = anchors.map((anchor) => found.get(JSON.stringify(anchor)) ?? null);
    return listed.length === 0 ? NO_PINS : pinsOf(listed, places);
  }, [listed, anchors, found]);
}

const NOTHING_FOUND: ReadonlyMap<string, AnchoredNote> = new Map();

/** Opens a note in the list when its number in a table is clicked; the row's menu does the same by keyboard. */
export function useRowPins(pane: RefObject<HTMLElement | null>): void {
  const { open } = useNotes();
  useEffect(() => {
    const element = pane.current;
    if (element === null) return undefined;
    const press = (event: MouseEvent): void => {
      const id = (event.target as Element).closest('[data-pin]')?.getAttribute('data-pin') ?? null;
      if (id !== null) open(id);
    };
    element.addEventListener('click', press);
    return () => element.removeEventListener('click', press);
  }, [pane, open]);
}
