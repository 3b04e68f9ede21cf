import type { Note } from '../contract/notes.ts';
import { notedFunction } from './note-title.ts';

/**
 * Returns the notes that contain every word of `query` in their text, author, colour, function or module, ignoring
 * case; an empty query matches all.
 */
export function searchNotes(notes: readonly Note[], query: string): Note[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...notes];
  return notes.filter((note) => {
    const func = notedFunction(note.anchor);
    const colour = note.colour === 'none' ? '' : note.colour;
    const all = [note.text, note.author, colour, func?.name ?? '', func?.module ?? ''].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
