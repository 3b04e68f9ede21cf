import { useCallback, useMemo, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { count } from '../../../ui/format.ts';
import { PopoverButton } from '../../../ui/menu/popover-button.tsx';
import { SearchedList } from '../../../ui/lists/searched-list.tsx';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { namedThreads, threadsFound, type NamedThreads } from '../../../state/compare/named-threads.ts';
import { toggledChoice } from '../../../state/thread-choices.ts';
import type { Side } from '#core/contract/side.ts';

const SEARCH_FROM = 9;
/** Means that no threads are selected in particular. */
const ALL: NamedThreads | null = null;

/**
 * The threads of a side that are compared: by name, since IDs differ between runs, or one of several that share a name.
 */
export function SideThreads({ side }: { side: Side }): ReactElement {
  const { captures, threads: chosen } = useCompareState((state) => state[side]);
  const named = useMemo(() => namedThreads(captures.map(({ opened }) => opened?.threads ?? [])), [captures]);
  return (
    <PopoverButton
      className="select picker"
      face={
        <>
          <span className="caption">thread</span>
          <span className="ellipsis">{chosenText(named, chosen)}</span>
        </>
      }
      label={`Threads ${side}`}
    >
      {(close) => <ThreadNames side={side} named={named} onDone={close} />}
    </PopoverButton>
  );
}

function chosenText(named: readonly NamedThreads[], chosen: readonly string[] | null): string {
  const names = named.filter(({ tid }) => tid === null).length;
  if (chosen === null) return `all ${count(names)}`;
  return chosen.length === 1 ? threadText(chosen[0]!) : `${count(chosen.length)} chosen`;
}

/** Returns a thread's name on one line. */
export const threadText = (name: string): string =>
  name === '' ? 'without a name' : shortenMiddle(visibleText(name.slice(0, 1000)), 60);

interface ThreadNamesProps {
  readonly side: Side;
  readonly named: readonly NamedThreads[];
  readonly onDone: () => void;
}

/** A click or Enter selects one name; Space or Ctrl-click adds and removes names. */
function ThreadNames({ side, named, onDone }: ThreadNamesProps): ReactElement {
  const tab = useCompare();
  const chosen = useCompareState((state) => state[side].threads);
  const find = useCallback(
    (query: string): readonly (NamedThreads | null)[] => {
      return query.trim() === '' ? [ALL, ...named] : threadsFound(named, query);
    },
    [named],
  );
  const toggle = (row: NamedThreads | null): void =>
    tab.choose(side, { threads: row === null ? null : toggledChoice(chosen, row.key) });
  const take = (row: NamedThreads | null): void => {
    tab.choose(side, { threads: row === null ? null : [row.key] });
    onDone();
  };
  return (
    <div className="searched thread-list">
      <SearchedList
        id={`threads-${side}`}
        label={`Threads ${side}`}
        search={
          named.length > SEARCH_FROM ? { label: 'Search threads by name or TID', placeholder: 'name or TID' } : null
        }
        find={find}
        visibleRows={14}
        isChosen={(row) => (row === null ? chosen === null : chosen?.includes(row.key) === true)}
        onToggle={toggle}
        onTake={take}
      >
        {(row) =>
          row === null ? (
            <span className="ellipsis">all {count(named.filter(({ tid }) => tid === null).length)} names</span>
          ) : (
            <>
              <span className={row.tid === null ? 'ellipsis' : 'ellipsis one-thread'}>{threadText(row.name)}</span>
              <span className="mono faint">
                {row.tid !== null ? `#${row.tid}` : row.threads > 1 ? `× ${count(row.threads)}` : ''}
              </span>
              <span className="mono dim">{count(row.samples)}</span>
            </>
          )
        }
      </SearchedList>
      <p className="faint-hint">Space or Ctrl-click to add threads</p>
    </div>
  );
}
