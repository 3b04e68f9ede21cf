import type { Note, NoteAnchor } from '#core/contract/notes.ts';
import { notedFunction } from '#core/notes/note-title.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';

/** Returns each note with its number, subject, author, time, ID and text. */
export function noteLines(notes: readonly (Note & { readonly number: number })[]): string {
  if (notes.length === 0) return 'No notes.\n';
  return notes
    .map((note) => {
      const facts = [
        aboutText(note.anchor),
        note.colour === 'none' ? '' : note.colour,
        escapeControls(note.author),
        note.created === null ? '' : new Date(note.created).toISOString().slice(0, 16).replace('T', ' '),
        `id ${escapeControls(note.id)}`,
      ].filter((fact) => fact !== '');
      const text = note.text.split('\n').map((line) => `    ${escapeControls(line)}`.trimEnd());
      return `${note.number}  ${facts.join(' · ')}\n${text.join('\n')}\n`;
    })
    .join('\n');
}

/** What a note is about, in a few words. */
export function aboutText(anchor: NoteAnchor): string {
  switch (anchor.kind) {
    case 'whole':
      return 'whole';
    case 'range': {
      const seconds = (ns: number): string => `${(ns / 1e9).toFixed(3)} s`;
      return anchor.end === null ? `at ${seconds(anchor.start)}` : `${seconds(anchor.start)} to ${seconds(anchor.end)}`;
    }
    case 'delta':
      return `change of ${aboutText(anchor.of)}`;
    case 'function':
    case 'path': {
      const name = escapeControls(notedFunction(anchor)?.name ?? '');
      return anchor.kind === 'path' ? `${name} (call path of ${anchor.path.length})` : name;
    }
  }
}
