import type { Note } from '#core/contract/notes.ts';
import { noteTitle } from '#core/notes/note-title.ts';

/** A note of a moment or a stretch, as the time strip shows it. */
export interface TimeMark {
  readonly id: string;
  /** The first line of the note. */
  readonly name: string;
  /** Nanoseconds after the `timeOrigin` of the capture's profile, as samples' times. */
  readonly start: number;
  /** Half-open; null: a moment. */
  readonly end: number | null;
  readonly note: Note;
}

/** Marks are the notes on ranges, in the order of time. */
export function marksOf(notes: readonly Note[]): TimeMark[] {
  return notes
    .flatMap((note): TimeMark[] => {
      const { id, anchor, text } = note;
      return anchor.kind === 'range' ? [{ id, name: noteTitle(text), start: anchor.start, end: anchor.end, note }] : [];
    })
    .sort((a, b) => a.start - b.start || a.name.localeCompare(b.name));
}

/** The note with another first line; what is below it stays. */
export function renamedMark({ note, name }: TimeMark, to: string, now: number): Note {
  const lines = note.text.split('\n');
  const at = lines.findIndex((line) => line.includes(name));
  const text = at < 0 ? to : [...lines.slice(0, at), to, ...lines.slice(at + 1)].join('\n');
  return { ...note, text, edited: now };
}
