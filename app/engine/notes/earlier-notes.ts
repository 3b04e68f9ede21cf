import type { EarlierNotes } from '#core/contract/note-methods.ts';
import type { Note } from '#core/contract/notes.ts';
import { programKey } from '#core/notes/same-program.ts';
import type { Library } from '../library/library.ts';

/** Maximum number of captures whose notes are read, newest first. */
const MAX_CAPTURES = 50;
/** Of all of them together. */
const MAX_EARLIER = 500;

/**
 * Notes about functions and frames on earlier captures of the same program. A note that was copied from capture to capture comes once, as
 * the newest of them has it. Captures whose notes can't be read give none.
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
