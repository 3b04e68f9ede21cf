import type { Note } from '../contract/notes.ts';
import { MAX_NOTE_TEXT } from '../contract/limits.ts';

/**
 * Converts notes of version 1 (`{text, marks?}`) to version 2: the text becomes notes on the whole capture, each mark a
 * note on its range. Anything that version 1 does not allow is left in place for the schema to reject, so that nothing
 * of a broken file is lost.
 */
export function upgradeNotes({ text, marks = [], ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (typeof text !== 'string' || !Array.isArray(marks)) return { ...rest, notes: null };
  const ids = new Set(marks.map((mark: Record<string, unknown> | null) => mark?.['id']));
  const whole = splitText(text).map((part, index): Note => {
    let id = `text-${index + 1}`;
    while (ids.has(id)) id = `${id}-`;
    return noteOf({ id, anchor: { kind: 'whole' }, text: part });
  });
  return { ...rest, notes: [...whole, ...marks.map(noteOfMark)] };
}

const noteOf = (own: Pick<Note, 'id' | 'anchor' | 'text'>): Note => ({
  ...own,
  author: '',
  created: null,
  edited: null,
  colour: 'none',
});

function noteOfMark(mark: unknown): unknown {
  if (typeof mark !== 'object' || mark === null) return mark;
  const { id, name, start, end } = mark as Record<string, unknown>;
  return {
    ...noteOf({ id: '', anchor: { kind: 'whole' }, text: '' }),
    id,
    text: name,
    anchor: { kind: 'range', start, end },
  };
}

/** Splits text into parts that fit into a note, at line ends if there are any; returns none for blank text. */
function splitText(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const line = rest.length > MAX_NOTE_TEXT ? rest.lastIndexOf('\n', MAX_NOTE_TEXT - 1) + 1 : rest.length;
    const end = line > 0 ? line : MAX_NOTE_TEXT;
    if (rest.slice(0, end).trim() !== '') parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return parts;
}
