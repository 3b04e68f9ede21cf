import { useId, useRef, useState, type FormEvent, type KeyboardEvent, type ReactElement } from 'react';
import { NOTE_COLOURS, type Note, type NoteColour } from '#core/contract/notes.ts';
import { MAX_NOTE_TEXT } from '#core/contract/limits.ts';
import { usePreference } from '../../state/appearance.ts';
import { useNotes } from '../../state/notes/context.ts';
import { newNoteId, type NoteDraft } from '../../state/notes/note-book.ts';
import { COLOUR_WORDS } from '../../state/notes/pins.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { count } from '../../ui/format.ts';
import { anchorText } from './anchor-text.ts';
import { NoteText } from './text.tsx';
import { Button } from '../../ui/buttons.tsx';

interface NoteEditorProps {
  readonly draft: NoteDraft;
  /** The note to edit; null for a new one. */
  readonly note: Note | null;
}

/** Edits a note: its Markdown with a preview, colour and author. Ctrl+Enter saves, Escape cancels. */
export function NoteEditor({ draft, note }: NoteEditorProps): ReactElement {
  const { book, noun } = useNotes();
  const { preferences, parts } = useWorkbench();
  const ownAuthor = usePreference('noteAuthor');
  const [author, setAuthor] = useState(note?.author ?? ownAuthor);
  const id = useId();
  const isEmpty = draft.text.trim() === '';
  const begunIn = useRef<Element | null>(null);
  const close = (): void => {
    book.write(null);
    const back = begunIn.current;
    if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus();
    else parts.rescueFocus('details');
  };
  const keep = (): void => {
    if (isEmpty) return;
    const now = Date.now();
    const own = { anchor: draft.anchor, text: draft.text, author: author.trim(), colour: draft.colour };
    const written: Note =
      note === null
        ? { id: newNoteId(), ...own, created: now, edited: null }
        : { id: note.id, ...own, created: note.created, edited: now };
    book.change({ put: [written], remove: [] });
    book.show(written.id);
    if (note === null && own.author !== ownAuthor) preferences.set({ noteAuthor: own.author });
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) keep();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      className="note-editor"
      aria-label={note === null ? 'New note' : 'Edit note'}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        keep();
      }}
    >
      <p className="note-about">
        On <span className="mono">{anchorText(draft.anchor, noun, null)}</span>
      </p>
      <label className="caption" htmlFor={`${id}-text`}>
        Note, in Markdown
      </label>
      <textarea
        id={`${id}-text`}
        className="note-field"
        rows={3}
        maxLength={MAX_NOTE_TEXT}
        placeholder="What was found, and what follows from it"
        ref={(field) => {
          // Takes the focus, so that a note started from a graph can be typed immediately.
          if (field !== null && field.dataset['begun'] === undefined) {
            field.dataset['begun'] = '';
            begunIn.current = document.activeElement;
            field.focus();
          }
        }}
        value={draft.text}
        onKeyDown={onKeyDown}
        onChange={(event) => book.write({ ...draft, text: event.target.value })}
      />
      {draft.text.length > MAX_NOTE_TEXT * 0.9 && (
        <p className="faint-hint" role="status">
          {count(MAX_NOTE_TEXT - draft.text.length)} characters left
        </p>
      )}
      <div className="note-fields">
        <fieldset className="note-colours">
          <legend className="caption">Colour</legend>
          {NOTE_COLOURS.map((colour: NoteColour) => (
            <label key={colour} className={`note-colour pin-${colour}`} title={COLOUR_WORDS[colour]}>
              <input
                type="radio"
                name={`${id}-colour`}
                checked={draft.colour === colour}
                aria-label={COLOUR_WORDS[colour]}
                onChange={() => book.write({ ...draft, colour })}
              />
            </label>
          ))}
        </fieldset>
        <label className="note-author">
          <span className="caption">Author</span>
          <span className="field">
            <input
              type="text"
              maxLength={200}
              placeholder="optional"
              value={author}
              onChange={(event) => setAuthor(event.target.value)}
            />
          </span>
        </label>
        <div className="note-buttons">
          <Button type="submit" className="primary" disabled={isEmpty} title="Ctrl Enter">
            {note === null ? 'Add note' : 'Save note'}
          </Button>
          <Button onClick={close} title="Esc">
            Cancel
          </Button>
        </div>
      </div>
      {!isEmpty && (
        <section className="note-preview" aria-label="Preview">
          <NoteText text={draft.text} />
        </section>
      )}
    </form>
  );
}
