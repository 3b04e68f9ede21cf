import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import { noteTitle } from '#core/notes/note-title.ts';
import { treePins, type NumberedNote, type TreePins } from '../../core/report/placed-notes.ts';
import type { Pin } from '../ui/pin.ts';

/** The notes of one subject in the form for a graph and its tables. */
export interface LivePins extends Pick<TreePins, 'places'> {
  /** Pins on frames of the tree. */
  readonly onFrames: readonly Pin[];
  readonly ofFunction: (func: number) => readonly Pin[];
}

const MOST_TITLE = 120;

/**
 * Returns the pins of a capture, whose ID is `on`, or of the comparison if null. Pins have the IDs of the notes'
 * elements.
 */
export function livePins(
  notes: readonly NumberedNote[],
  on: string | null,
  table: NamedFunctions,
  tree: CallTree,
): LivePins {
  const { places, atFunction } = treePins(notes, on, table, tree);
  const byNumber = new Map(notes.map((one) => [one.number, one.note]));
  const pin = (number: number, node: number | null, func: number | null): Pin => {
    const { text, colour } = byNumber.get(number)!;
    const title = visibleText(noteTitle(text).slice(0, MOST_TITLE));
    return { id: `note-${number}`, number, title, colour, isFaint: false, node, func };
  };
  const ofFunction = (func: number): Pin[] => atFunction(func).map((number) => pin(number, null, func));
  return { places, onFrames: [...places].map(([number, { node }]) => pin(number, node, null)), ofFunction };
}

/** Scrolls to a note in the list. */
export function goToNote(id: string): void {
  window.location.hash = id;
}
