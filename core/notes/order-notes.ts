import type { Note } from '../contract/notes.ts';

/**
 * Orders notes by number: the oldest first, so that a new note does not change the others' numbers. Notes of unknown
 * age (marks of older versions) come first, in the order of time.
 */
export function orderNotes(notes: readonly Note[]): Note[] {
  return [...notes].sort(
    (a, b) =>
      (a.created ?? 0) - (b.created ?? 0) || startOf(a) - startOf(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}

const startOf = ({ anchor }: Note): number => (anchor.kind === 'range' ? anchor.start : Number.NEGATIVE_INFINITY);
