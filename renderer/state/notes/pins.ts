import type { EarlierNotes } from '#core/contract/note-methods.ts';
import type { Note, NoteColour } from '#core/contract/notes.ts';
import { noteTitle } from '#core/notes/note-title.ts';
import type { AnchoredNote, NoteFit } from '#core/notes/anchor-notes.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import type { Pin } from '../../ui/pin.ts';

/** A note as the window lists it. */
export interface ListedNote {
  readonly note: Note;
  /** Number on its pins. */
  readonly number: number;
  /** The earlier capture that it was written on; null if it is this one's own. */
  readonly from: { readonly captureId: string; readonly captureName: string } | null;
  /** Null until known. */
  readonly place: AnchoredNote | null;
}

export interface Pins {
  readonly listed: readonly ListedNote[];
  readonly byNode: ReadonlyMap<number, readonly Pin[]>;
  /** Pins of notes on functions. */
  readonly byFunc: ReadonlyMap<number, readonly Pin[]>;
  /** Pins of notes on functions and on their frames. */
  readonly ofFunc: ReadonlyMap<number, readonly Pin[]>;
  /** Pins for graphs of the call tree. */
  readonly all: readonly Pin[];
  /** Pins for other graphs, each on its function. */
  readonly onFunctions: readonly Pin[];
}

const TITLE = 120;

/** Returns all notes of a tab ordered by number: its own, then those of earlier captures. */
export function listNotes(notes: readonly Note[], earlier: readonly EarlierNotes[]): Omit<ListedNote, 'place'>[] {
  const own = notes.map((note) => ({ note, from: null }));
  const others = earlier.flatMap(({ captureId, captureName, notes: theirs }) =>
    theirs.map((note) => ({ note, from: { captureId, captureName } })),
  );
  return [...own, ...others].map((one, index) => ({ ...one, number: index + 1 }));
}

/** Returns the pins. `places` has the place of each note, in the same order; null if it is not known yet. */
export function pinsOf(notes: readonly Omit<ListedNote, 'place'>[], places: readonly (AnchoredNote | null)[]): Pins {
  const byNode = new Map<number, Pin[]>();
  const byFunc = new Map<number, Pin[]>();
  const ofFunc = new Map<number, Pin[]>();
  const all: Pin[] = [];
  const add = (map: Map<number, Pin[]>, key: number, pin: Pin): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [pin]);
    else list.push(pin);
  };
  const listed = notes.map((one, index): ListedNote => {
    const place = places[index] ?? null;
    const pin = (node: number | null, func: number | null): Pin => ({
      id: one.note.id,
      number: one.number,
      title: visibleText(noteTitle(one.note.text).slice(0, TITLE)),
      colour: one.note.colour,
      isFaint: one.from !== null,
      node,
      func,
    });
    for (const node of place?.nodes ?? []) {
      const own = pin(node, null);
      add(byNode, node, own);
      all.push(own);
    }
    for (const func of place?.funcs ?? []) {
      const own = pin(null, func);
      add(ofFunc, func, own);
      if (place!.nodes.length > 0) continue;
      add(byFunc, func, own);
      all.push(own);
    }
    return { ...one, place };
  });
  return { listed, byNode, byFunc, ofFunc, all, onFunctions: [...ofFunc.values()].flat() };
}

export const NO_PINS: Pins = pinsOf([], []);

/** Text for a note that is not at its original place; empty for an exact match. */
export const FIT_WORDS: Readonly<Record<NoteFit, string>> = {
  exact: '',
  moved: 'under other callers here',
  function: 'call path not found; shown on the function',
  orphaned: 'not in this view',
};

export const COLOUR_WORDS: Readonly<Record<NoteColour, string>> = {
  none: 'No colour',
  red: 'Red',
  orange: 'Orange',
  green: 'Green',
  blue: 'Blue',
  violet: 'Violet',
};

/** Returns the pins for tables; an empty object if there are none, so that rows stay unchanged. */
export function rowPins({ byNode, byFunc, ofFunc }: Pins): {
  readonly pins?: (func: number, node: number | null) => readonly Pin[];
} {
  if (ofFunc.size === 0) return {};
  return {
    pins: (func, node) =>
      node === null ? (ofFunc.get(func) ?? []) : [...(byNode.get(node) ?? []), ...(byFunc.get(func) ?? [])],
  };
}
