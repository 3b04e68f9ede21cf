import type { Note } from '#core/contract/notes.ts';

/** Returns a note on a whole capture or experiment whose text is its ID; `own` overrides fields. */
export const noteOf = (id: string, own: Partial<Note> = {}): Note => ({
  id,
  anchor: { kind: 'whole' },
  text: id,
  author: '',
  created: null,
  edited: null,
  colour: 'none',
  ...own,
});

/** Returns a mark of the time strip: a note on a moment or a time range of a recording. */
export const markOf = (id: string, start: number, end: number | null = null, text = id): Note =>
  noteOf(id, { anchor: { kind: 'range', start, end }, text });
