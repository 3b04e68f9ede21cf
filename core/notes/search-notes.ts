import { containsWords } from '../contract/contains-words.ts';
import type { Note } from '../contract/notes.ts';
import { notedFunction } from './note-title.ts';

/**
 * Returns the notes that contain every word of `query` in their text, author, colour, function or module, ignoring
 * case; an empty query matches all.
 */
export function searchNotes(notes: readonly Note[], query: string): Note[] {
  const contains = containsWords(query);
  return notes.filter(({ text, author, colour, anchor }) => {
    const func = notedFunction(anchor);
    return contains([text, author, colour === 'none' ? '' : colour, func?.name ?? '', func?.module ?? ''].join('\n'));
  });
}
