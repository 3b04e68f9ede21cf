import type { Note, NoteChange } from '../contract/notes.ts';
import { MAX_NOTES } from '../contract/limits.ts';

/** Applies a change to notes; returns null if the result would exceed {@link MAX_NOTES}. Ignores unknown ids. */
export function changeNotes(notes: readonly Note[], { put, remove }: NoteChange): Note[] | null {
  const byId = new Map(notes.map((note) => [note.id, note]));
  for (const id of remove) byId.delete(id);
  for (const note of put) byId.set(note.id, note);
  // A larger, hand-written file can be reduced step by step.
  if (byId.size > MAX_NOTES && byId.size > notes.length) return null;
  return [...byId.values()];
}

/** Returns the change that undoes `change`; `notes` are those before it. */
export function reverseChange(notes: readonly Note[], { put, remove }: NoteChange): NoteChange {
  const byId = new Map(notes.map((note) => [note.id, note]));
  const touched = [...new Set([...remove, ...put.map(({ id }) => id)])];
  return {
    put: touched.flatMap((id) => byId.get(id) ?? []),
    remove: touched.filter((id) => !byId.has(id)),
  };
}
