import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { noteTitle } from '#core/notes/note-title.ts';
import { usePreference } from '../../state/appearance.ts';
import { useNotes } from '../../state/notes/context.ts';
import { FIT_WORDS, type ListedNote } from '../../state/notes/pins.ts';
import { Facts } from '../../ui/fitted-text.tsx';
import { dateAndTime } from '../../ui/format.ts';
import { anchorText } from './anchor-text.ts';
import { NoteText } from './text.tsx';
import { LinkButton } from '../../ui/buttons.tsx';

/** A note in the list; its number is a link to its subject. */
export function NoteItem({ item, isCurrent }: { item: ListedNote; isCurrent: boolean }): ReactElement {
  const { book, goTo, noun } = useNotes();
  const ownAuthor = usePreference('noteAuthor');
  const { note, number, from, place } = item;
  const name = `note ${number}: ${visibleText(noteTitle(note.text))}`;
  const facts = [
    note.author === '' ? null : visibleText(note.author),
    note.created === null ? null : dateAndTime(note.created),
    note.edited === null ? null : `edited ${dateAndTime(note.edited)}`,
  ].filter((fact) => fact !== null);
  const fit = place === null || place.fit === 'orphaned' ? '' : FIT_WORDS[place.fit];
  const edit = (): void => book.write({ id: note.id, anchor: note.anchor, text: note.text, colour: note.colour });
  return (
    <li
      className={isCurrent ? 'note current' : 'note'}
      data-note={note.id}
      {...(isCurrent ? { 'aria-current': true } : {})}
    >
      <div className="note-head">
        <button
          type="button"
          className={`note-number pin-${note.colour}${from === null ? '' : ' faint'}`}
          aria-label={`Go to ${name}`}
          title="Go to it"
          onClick={() => {
            book.show(note.id);
            goTo(item);
          }}
        >
          {number}
        </button>
        <span className="note-about mono ellipsis" title={anchorText(note.anchor, noun, null)}>
          {anchorText(note.anchor, noun, null)}
        </span>
        {from === null ? (
          <>
            <LinkButton aria-label={`Edit ${name}`} onClick={edit}>
              edit
            </LinkButton>
            <LinkButton aria-label={`Delete ${name}`} onClick={() => book.change({ put: [], remove: [note.id] })}>
              delete
            </LinkButton>
          </>
        ) : (
          <LinkButton
            aria-label={`Copy ${name} to this capture`}
            title="Keep it with this capture; the one it was made on stays as it is"
            onClick={() => {
              book.change({ put: [{ ...note, author: note.author === '' ? ownAuthor : note.author }], remove: [] });
            }}
          >
            copy here
          </LinkButton>
        )}
      </div>
      <NoteText text={note.text} />
      <p className="note-facts">
        <Facts
          facts={[
            ...(from === null ? [] : [`from ${visibleText(from.captureName)}`]),
            ...facts,
            ...(fit === '' ? [] : [fit]),
          ]}
        />
      </p>
    </li>
  );
}
