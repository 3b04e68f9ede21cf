import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { searchNotes } from '#core/notes/search-notes.ts';
import { useNotes } from '../../state/notes/context.ts';
import type { ListedNote } from '../../state/notes/pins.ts';
import { startNote } from '../../state/start-note.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { countOf } from '../../ui/format.ts';
import { NoteEditor } from './editor.tsx';
import { NoteItem } from './item.tsx';
import './notes.css';
import { Button } from '../../ui/buttons.tsx';

/** All notes of the tab, those in the view first, with a search and an editor. */
export function NotesPanel({ tab }: { readonly tab: AnalysedTab }): ReactElement {
  const { book, pins, noun } = useNotes();
  const workbench = useWorkbench();
  const { textOf } = useKeymap();
  const draft = useStore(book.store, (state) => state.draft);
  const current = useStore(book.store, (state) => state.current);
  const problem = useStore(book.store, (state) => state.problem);
  const isKept = useStore(book.store, (state) => state.owner !== null);
  const [query, setQuery] = useState('');
  const { listed } = pins;
  const found = useMemo(() => {
    const notes = new Set(
      searchNotes(
        listed.map(({ note }) => note),
        query,
      ),
    );
    return listed.filter(({ note }) => notes.has(note));
  }, [listed, query]);
  const isElsewhere = ({ place }: ListedNote): boolean => place?.fit === 'orphaned';
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current === null) return;
    list.current?.querySelector(`[data-note="${CSS.escape(current)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const add = (subject: 'selected' | 'whole'): void => {
    startNote(workbench, tab, subject).catch(workbench.report);
  };
  const keys = textOf('note.add');
  const show = (items: readonly ListedNote[], label: string): ReactElement => (
    <ol className="note-list" aria-label={label}>
      {items.map((item) =>
        draft !== null && draft.id === item.note.id ? (
          <li key={item.note.id}>
            <NoteEditor key={item.note.id} draft={draft} note={item.from === null ? item.note : null} />
          </li>
        ) : (
          <NoteItem key={item.note.id} item={item} isCurrent={item.note.id === current} />
        ),
      )}
    </ol>
  );
  return (
    <div className="notes" ref={list}>
      <div className="note-tools">
        <Button onClick={() => add('selected')} {...(keys === null ? {} : { title: `On what is selected (${keys})` })}>
          Add note
        </Button>
        <Button onClick={() => add('whole')}>Note on the {noun}</Button>
        {listed.length > 0 && (
          <span className="field">
            <input
              type="search"
              aria-label="Search notes"
              placeholder="search"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </span>
        )}
      </div>
      {draft !== null && draft.id === null && <NoteEditor draft={draft} note={null} />}
      {problem !== null && (
        <p className="note-problem" role="alert">
          {problem.message} {problem.remedy} Notes are kept until you close this tab.
        </p>
      )}
      {!isKept && listed.length + (draft === null ? 0 : 1) > 0 && (
        <p className="faint-hint">
          {noun === 'capture'
            ? 'Add the file to the library to keep its notes.'
            : 'Save the comparison as an experiment to keep its notes.'}
        </p>
      )}
      {listed.length === 0 && draft === null && (
        <p className="panel-hint">
          Select a frame or a row{keys === null ? '' : ` and press ${keys}`} to note what you found.
        </p>
      )}
      {query !== '' && (
        <p className="faint-hint" role="status">
          {countOf(found.length, 'note')} of {listed.length}
        </p>
      )}
      {show(
        found.filter((item) => !isElsewhere(item)),
        'Notes',
      )}
      {found.some(isElsewhere) && (
        <>
          <h4 className="note-heading-apart">Not in this view</h4>
          <p className="faint-hint">
            Their functions are not here: filtered out, not sampled, or renamed beyond the matching rules.
          </p>
          {show(found.filter(isElsewhere), 'Notes that are not in this view')}
        </>
      )}
    </div>
  );
}
