import { useCallback, type ReactElement } from 'react';
import type { ThreadIndex } from '#core/model/brand.ts';
import { count } from '../../ui/format.ts';
import { PopoverButton } from '../../ui/menu/popover-button.tsx';
import { SearchedList } from '../../ui/lists/searched-list.tsx';
import type { ThreadRow } from '../../analysis/profile/protocol.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { otherThreads, toggledChoice } from '../../state/thread-choices.ts';
import { threadIds, threadLabel, threadName } from '../../state/thread-names.ts';
import { LinkButton } from '../../ui/buttons.tsx';

/** The label is `all 12`, one thread's name, or `3 of 12`. */
export function ThreadPicker(): ReactElement {
  const { threads } = useView().profile;
  const chosen = useViewState((state) => state.selection.threads);
  return (
    <PopoverButton
      className="select picker"
      part="threads"
      face={
        <>
          <span className="caption">thread</span>
          <span className="ellipsis">{chosenText(threads, chosen)}</span>
        </>
      }
      label="Threads"
    >
      {(close) => <ThreadList threads={threads} onDone={close} />}
    </PopoverButton>
  );
}

function chosenText(threads: readonly ThreadRow[], chosen: readonly ThreadIndex[] | null): string {
  if (chosen === null) return `all ${count(threads.length)}`;
  if (chosen.length === 1) return threadLabel(threads, chosen[0]!);
  return `${count(chosen.length)} of ${count(threads.length)}`;
}

/** Number of threads from which the list has a search field. */
const SEARCH_FROM = 9;
/** Represents the row that selects all threads. */
export const ALL_THREADS = -1;

/** A click or Enter selects one thread; Space or Ctrl-click adds and removes threads. */
function ThreadList({ threads, onDone }: { threads: readonly ThreadRow[]; onDone: () => void }): ReactElement {
  const view = useView();
  const chosen = useViewState((state) => state.selection.threads);
  const find = useCallback((query: string) => visibleThreads(threads, query), [threads]);

  const isChosen = (row: number): boolean =>
    row === ALL_THREADS ? chosen === null : (chosen?.includes(row as ThreadIndex) ?? false);
  const toggle = (row: number): void =>
    view.select({ threads: row === ALL_THREADS ? null : toggledChoice(chosen, row as ThreadIndex) });
  const take = (row: number): void => {
    view.select({ threads: row === ALL_THREADS ? null : [row as ThreadIndex] });
    onDone();
  };
  const choices = (query: string, rows: readonly number[]): ReactElement => (
    <ChoiceButtons
      found={query.trim() === '' ? [] : (rows as readonly ThreadIndex[])}
      others={chosen === null ? null : otherThreads(threads, chosen)}
      onChoose={(next) => {
        view.select({ threads: next });
        onDone();
      }}
    />
  );
  return (
    <div className="searched thread-list">
      <SearchedList
        id="threads"
        label="Threads"
        search={
          threads.length > SEARCH_FROM
            ? { label: 'Search threads by name, PID or TID', placeholder: 'name, PID or TID' }
            : null
        }
        find={find}
        visibleRows={14}
        isChosen={isChosen}
        onToggle={toggle}
        onTake={take}
        foot={choices}
      >
        {(row) => (row === ALL_THREADS ? <ThreadAll threads={threads} /> : <ThreadOption thread={threads[row]!} />)}
      </SearchedList>
      <p className="faint-hint">Space or Ctrl-click to add threads</p>
    </div>
  );
}

interface ChoiceButtonsProps {
  /** The search's result; empty if no search is active. */
  readonly found: readonly ThreadIndex[];
  readonly others: readonly ThreadIndex[] | null;
  readonly onChoose: (threads: readonly ThreadIndex[]) => void;
}

/** Buttons that select many threads at once. */
function ChoiceButtons({ found, others, onChoose }: ChoiceButtonsProps): ReactElement {
  return (
    <div className="thread-choices">
      {found.length > 1 && (
        <LinkButton onClick={() => onChoose(found)}>Choose all {count(found.length)} found</LinkButton>
      )}
      {others !== null && (
        <LinkButton onClick={() => onChoose(others)}>The {count(others.length)} others instead</LinkButton>
      )}
    </div>
  );
}

function ThreadAll({ threads }: { threads: readonly ThreadRow[] }): ReactElement {
  return (
    <>
      <span className="ellipsis">all {count(threads.length)} threads</span>
      <span className="mono dim">{count(threads.reduce((sum, thread) => sum + thread.samples, 0))}</span>
    </>
  );
}

function ThreadOption({ thread }: { thread: ThreadRow }): ReactElement {
  return (
    <>
      <span className="ellipsis">{threadName(thread)}</span>
      <span className="mono faint">{threadIds(thread)}</span>
      <span className="mono dim">{count(thread.samples)}</span>
    </>
  );
}

/**
 * Returns the rows of the thread table that match the query, most samples first; {@link ALL_THREADS} comes first if the
 * query is empty.
 */
export function visibleThreads(threads: readonly ThreadRow[], query: string): number[] {
  const sought = query.trim().toLowerCase();
  const found = threads
    .map((_, row) => row)
    .filter((row) => {
      const { name, pid, tid } = threads[row]!;
      return sought === '' || name.toLowerCase().includes(sought) || String(pid) === sought || String(tid) === sought;
    })
    .sort((a, b) => threads[b]!.samples - threads[a]!.samples || a - b);
  return sought === '' ? [ALL_THREADS, ...found] : found;
}
