import { useCallback, useMemo, useState, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { toggledChoice } from '../../state/thread-choices.ts';
import { threadIds, threadName } from '../../state/thread-names.ts';
import { containsWords } from '#core/contract/contains-words.ts';
import { VirtualList } from '../../ui/lists/virtual-list.tsx';
import type { ThreadRow } from '../../analysis/profile/protocol.ts';
import { nearBars, pickStack } from './pick-stack.ts';
import { inOrder, inPlace } from './thread-order.ts';
import { timeAt } from '../../ui/time/time-scale.ts';
import type { ThreadRows } from '#core/analyze/time/strip.ts';
import { ThreadTrack } from './thread-track.tsx';
import { ThreadsHead } from './threads-head.tsx';
import { useThreadKinds } from './use-thread-kinds.ts';
import './thread-tracks.css';

/** A thread and where its menu opens. */
export interface ThreadMenuPlace {
  readonly thread: ThreadIndex;
  readonly point: { readonly x: number; readonly y: number };
}

interface ThreadTracksProps {
  readonly threads: ThreadRows;
  readonly window: TimeRange;
  readonly theme: Theme;
  readonly onMenu: (place: ThreadMenuPlace) => void;
}

const ROW_PX = 22;
const VISIBLE_ROWS = 6;
/** Height below which windows (or zoomed ones: 200 %) show fewer rows, to leave space for the graph. */
const LOW_WINDOW_PX = 760;
const VISIBLE_ROWS_WHEN_LOW = 3;

/**
 * A row per thread. A click or Enter selects one thread, Ctrl-click or Space adds and removes, Escape selects all; a
 * click on bars also selects the stack at that moment.
 */
export function ThreadTracks({ threads, window, theme, onMenu }: ThreadTracksProps): ReactElement {
  const view = useView();
  const chosen = useViewState((state) => state.selection.threads);
  const order = useViewState((state) => state.time.threadOrder);
  const { live } = useProfileTab();
  const [active, setActive] = useState<ThreadIndex | null>(null);
  /** The order in which a growing profile's rows stay while the pointer is over them; null while it is elsewhere. */
  const [still, setStill] = useState<readonly ThreadIndex[] | null>(null);
  const [query, setQuery] = useState('');
  const isFiltered = query.trim() !== '';
  const rows = useMemo(() => {
    const isMeant = containsWords(query);
    const named = isFiltered
      ? threads.rows.filter(({ thread }) => isMeant(wholeName(view.profile.threads[thread]!)))
      : threads.rows;
    const sorted = inOrder(named, order, view.profile.threads);
    return still === null ? sorted : inPlace(sorted, still);
  }, [threads, query, isFiltered, order, still, view]);
  const [drawn, setDrawn] = useState({ first: 0, end: 0 });
  const onRows = useCallback((first: number, end: number) => setDrawn({ first, end }), []);
  const inView = useMemo(() => rows.slice(drawn.first, drawn.end).map(({ thread }) => thread), [rows, drawn]);
  const kinds = useThreadKinds(threads, inView, theme);
  const at = Math.max(
    0,
    rows.findIndex(({ thread }) => thread === active),
  );
  const visibleRows = globalThis.innerHeight < LOW_WINDOW_PX ? VISIBLE_ROWS_WHEN_LOW : VISIBLE_ROWS;

  const take = (thread: ThreadIndex): void => {
    const isOnly = chosen?.length === 1 && chosen[0] === thread;
    view.select({ threads: isOnly ? null : [thread] });
  };
  const toggle = (thread: ThreadIndex): void => view.select({ threads: toggledChoice(chosen, thread) });
  /**
   * Handles a click: on the name of the selected thread it deselects the thread, on the bars it selects the stack
   * there.
   */
  const clickOn = (thread: ThreadIndex, event: MouseEvent): void => {
    const bars = event.target instanceof Element ? event.target.closest('.time-thread-bars') : null;
    if (bars === null) {
      take(thread);
      return;
    }
    const { left, width } = bars.getBoundingClientRect();
    const time = timeAt(window, (event.clientX - left) / width);
    view.select({ threads: [thread] });
    void pickStack(view, { threads: [thread], time, span: nearBars(threads, time) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: visibleRows,
      PageUp: -visibleRows,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    if (step !== undefined) setActive(rows[Math.max(0, Math.min(rows.length - 1, at + step))]!.thread);
    else if (event.key === 'Enter') take(rows[at]!.thread);
    else if (event.key === ' ') toggle(rows[at]!.thread);
    else if (event.key === 'Escape' && chosen !== null) view.select({ threads: null });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="time-threads"
      role="presentation"
      onPointerEnter={() => setStill(live === null ? null : rows.map(({ thread }) => thread))}
      onPointerLeave={() => setStill(null)}
    >
      <ThreadsHead
        threads={threads}
        rows={rows}
        query={query}
        onQuery={setQuery}
        order={order}
        onOrder={(threadOrder) => {
          setStill(null);
          view.lookAtTime({ threadOrder });
        }}
        bars={inView.flatMap((thread) => kinds.get(thread) ?? [])}
      />
      {rows.length === 0 ? (
        <p className="time-threads-none dim">No thread matches this name or number.</p>
      ) : (
        <VirtualList
          id={`time-threads-${view.id}`}
          label="Threads over time"
          multiple
          count={rows.length}
          rowPx={ROW_PX}
          visibleRows={visibleRows}
          active={at}
          onRows={onRows}
          onMenu={(row, point) => {
            setActive(rows[row]!.thread);
            onMenu({ thread: rows[row]!.thread, point });
          }}
          isSelected={(row) => chosen?.includes(rows[row]!.thread) ?? false}
          onKeyDown={onKeyDown}
          onClick={(row, event) => {
            setActive(rows[row]!.thread);
            if (event.ctrlKey || event.metaKey) toggle(rows[row]!.thread);
            else clickOn(rows[row]!.thread, event);
          }}
        >
          {(index) => {
            const row = rows[index]!;
            return (
              <ThreadTrack
                threads={threads}
                row={row}
                chosen={chosen}
                groups={kinds.get(row.thread) ?? null}
                window={window}
                theme={theme}
              />
            );
          }}
        </VirtualList>
      )}
    </div>
  );
}

/** Returns the text in which threads are searched, including the one shown for threads without a name. */
const wholeName = (thread: ThreadRow): string => `${thread.name} ${threadName(thread)} ${threadIds(thread)}`;
