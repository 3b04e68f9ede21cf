import type { Note } from '#core/contract/notes.ts';
import { noteTitle } from '#core/notes/note-title.ts';

/** A note on a moment or a range of time, as the time strip shows it. */
export interface TimeMark {
  readonly id: string;
  /** The first line of the note. */
  readonly name: string;
  /** Nanoseconds after the profile's `timeOrigin`, like sample times. */
  readonly start: number;
  /** Exclusive end of the range; null for a moment. */
  readonly end: number | null;
  readonly note: Note;
}

/** Returns the notes on moments and ranges, ordered by time. */
export function marksOf(notes: readonly Note[]): TimeMark[] {
  return notes
    .flatMap((note): TimeMark[] => {
      const { id, anchor, text } = note;
      return anchor.kind === 'range' ? [{ id, name: noteTitle(text), start: anchor.start, end: anchor.end, note }] : [];
    })
    .sort((a, b) => a.start - b.start || a.name.localeCompare(b.name));
}

/** Returns the note with another first line; the other lines stay. */
export function renamedMark({ note, name }: TimeMark, to: string, now: number): Note {
  const lines = note.text.split('\n');
  const at = lines.findIndex((line) => line.includes(name));
  const text = at < 0 ? to : [...lines.slice(0, at), to, ...lines.slice(at + 1)].join('\n');
  return { ...note, text, edited: now };
}
