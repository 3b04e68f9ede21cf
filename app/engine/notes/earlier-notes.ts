import type { EarlierNotes } from '#core/contract/note-methods.ts';
import type { Note } from '#core/contract/notes.ts';
import { programKey } from '#core/notes/same-program.ts';
import type { Library } from '../library/library.ts';

/** Maximum number of captures whose notes are read, newest first. */
const MAX_CAPTURES = 50;
/** Maximum number of notes in total. */
const MAX_EARLIER = 500;

/**
 * Returns the notes on functions and frames from earlier captures of the same program. A note copied from capture to
 * capture occurs once, in its newest version. Captures with unreadable notes are skipped.
 */
export async function earlierNotes(library: Library, id: string): Promise<EarlierNotes[]> {
  const document = await library.get(id);
  const key = programKey(document);
  if (key === null) return [];
  const known = new Set((await library.notes(id)).map((note) => note.id));
  const { captures } = await library.list();
  const others = captures.filter(
    (other) => other.id !== id && other.createdAt <= document.createdAt && programKey(other) === key,
  );
  const found: EarlierNotes[] = [];
  let room = MAX_EARLIER;
  for (const other of others.slice(0, MAX_CAPTURES)) {
    const notes = (await library.notes(other.id).catch((): Note[] => []))
      .filter(({ id: own, anchor }) => (anchor.kind === 'function' || anchor.kind === 'path') && !known.has(own))
      .slice(0, room);
    if (notes.length === 0) continue;
    for (const note of notes) known.add(note.id);
    room -= notes.length;
    found.push({ captureId: other.id, captureName: other.name, notes });
  }
  return found;
}
