import type { Note } from '#core/contract/notes.ts';

/** A note on a whole capture or experiment that says its id, but for what `own` states. */
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

/** A note on a moment or a stretch of a recording: a mark of the time strip. */
export const markOf = (id: string, start: number, end: number | null = null, text = id): Note =>
  noteOf(id, { anchor: { kind: 'range', start, end }, text });
