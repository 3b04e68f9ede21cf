import { useCallback, useMemo } from 'react';
import type { ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { count } from '../shell/format.ts';
import { PopoverButton } from '../shell/popover-button.tsx';
import { SearchedList } from '../shell/searched-list.tsx';
import type { SideName } from '../worker/compare-protocol.ts';
import { useCompare, useCompareState } from './compare-context.ts';
import type { CompareCapture } from './compare.types.ts';

/** Threads of one name, in all captures of a side. */
interface NamedThreads {
  readonly name: string;
  readonly threads: number;
  readonly samples: number;
}

const SEARCH_FROM = 9;
/** Stands for no choice. */
const ALL: NamedThreads | null = null;

/** Which threads of a side count, by name: numbers differ from run to run. */
export function SideThreads({ side }: { side: SideName }): ReactElement {
  const { captures, threads: chosen } = useCompareState((state) => state[side]);
  const named = useMemo(() => namedThreads(captures), [captures]);
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
  if (chosen === null) return `all ${count(named.length)}`;
  return chosen.length === 1 ? threadText(chosen[0]!) : `${count(chosen.length)} of ${count(named.length)}`;
}

/** A thread's name on one line. */
export const threadText = (name: string): string =>
  name === '' ? 'without a name' : shortenMiddle(visibleText(name.slice(0, 1000)), 60);

function namedThreads(captures: readonly CompareCapture[]): NamedThreads[] {
  const byName = new Map<string, { threads: number; samples: number }>();
  for (const { opened } of captures) {
    for (const { name, samples } of opened?.threads ?? []) {
      const own = byName.get(name) ?? { threads: 0, samples: 0 };
      byName.set(name, { threads: own.threads + 1, samples: own.samples + samples });
    }
  }
  return [...byName]
    .map(([name, sums]) => ({ name, ...sums }))
    .sort((a, b) => b.samples - a.samples || (a.name < b.name ? -1 : 1));
}

interface ThreadNamesProps {
  readonly side: SideName;
  readonly named: readonly NamedThreads[];
  readonly onDone: () => void;
}

/** A click or Enter takes one name; Space or Ctrl-click adds and removes. */
function ThreadNames({ side, named, onDone }: ThreadNamesProps): ReactElement {
  const tab = useCompare();
  const chosen = useCompareState((state) => state[side].threads);
  const find = useCallback(
    (query: string): readonly (NamedThreads | null)[] => {
      const sought = query.trim().toLowerCase();
      const found = named.filter(({ name }) => name.toLowerCase().includes(sought));
      return sought === '' ? [ALL, ...found] : found;
    },
    [named],
  );
  const toggle = (row: NamedThreads | null): void => {
    const before = chosen ?? [];
    const next =
      row === null
        ? []
        : before.includes(row.name)
          ? before.filter((name) => name !== row.name)
          : [...before, row.name];
    tab.choose(side, { threads: next.length === 0 ? null : next });
  };
  const take = (row: NamedThreads | null): void => {
    tab.choose(side, { threads: row === null ? null : [row.name] });
    onDone();
  };
  return (
    <div className="thread-list">
      <SearchedList
        id={`threads-${side}`}
        label={`Threads ${side}`}
        search={named.length > SEARCH_FROM ? { label: 'Search threads by name', placeholder: 'name' } : null}
        find={find}
        visibleRows={14}
        isChosen={(row) => (row === null ? chosen === null : chosen?.includes(row.name) === true)}
        onToggle={toggle}
        onTake={take}
        onClick={(row, event) => {
          if (event.ctrlKey || event.metaKey) toggle(row);
          else take(row);
        }}
      >
        {(row) =>
          row === null ? (
            <span className="ellipsis">all {count(named.length)} names</span>
          ) : (
            <>
              <span className="ellipsis">{threadText(row.name)}</span>
              <span className="mono faint">{row.threads > 1 ? `× ${count(row.threads)}` : ''}</span>
              <span className="mono dim">{count(row.samples)}</span>
            </>
          )
        }
      </SearchedList>
      <p className="faint-hint">Space or Ctrl-click to add threads</p>
    </div>
  );
}
