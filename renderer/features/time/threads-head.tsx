import type { ReactElement } from 'react';
import type { ThreadRows } from '#core/analyze/time/strip.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import type { TimeDisplay } from '../../state/time/time-display.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { count, countOf } from '../../ui/format.ts';
import type { GroupBars } from './use-group-bars.ts';
import { LinkButton } from '../../ui/buttons.tsx';

interface ThreadsHeadProps {
  readonly threads: ThreadRows;
  /** The rows that the filter lets through. */
  readonly rows: ThreadRows['rows'];
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly order: TimeDisplay['threadOrder'];
  readonly onOrder: (order: TimeDisplay['threadOrder']) => void;
  /** Those in view. */
  readonly bars: readonly GroupBars[];
}

/** The count, filter, order and legend of the threads, and what is chosen of them. */
export function ThreadsHead({ threads, rows, query, onQuery, order, onOrder, bars }: ThreadsHeadProps): ReactElement {
  const view = useView();
  const chosen = useViewState((state) => state.selection.threads);
  const isFiltered = query.trim() !== '';
  return (
    <div className="time-threads-head" data-time-outside="">
      <span className="dim">
        {isFiltered && `${count(rows.length)} of `}
        {countOf(threads.rows.length, 'thread')}
        {threads.more > 0 && `; ${countOf(threads.more, 'lighter thread is', 'lighter threads are')} not drawn`}
      </span>
      <span className="field time-threads-filter">
        <input
          type="search"
          aria-label="Filter threads by name or number"
          placeholder="Filter threads"
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || query === '') return;
            onQuery('');
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </span>
      {isFiltered && rows.length > 0 && (
        <LinkButton onClick={() => view.select({ threads: rows.map(({ thread }) => thread) })}>
          take {rows.length === 1 ? 'it' : 'them'}
        </LinkButton>
      )}
      <Segments
        label="Order of the threads"
        value={order}
        options={[
          { value: 'weight', label: 'by weight' },
          { value: 'name', label: 'by name' },
        ]}
        onChange={onOrder}
      />
      <KindLegend bars={bars} />
      {chosen !== null && (
        <LinkButton onClick={() => view.select({ threads: null })}>{count(chosen.length)} chosen: show all</LinkButton>
      )}
    </div>
  );
}

/** The kinds of code whose colours are in the visible rows. */
function KindLegend({ bars }: { bars: readonly GroupBars[] }): ReactElement | null {
  const colours = new Map(bars.map(({ label, colour }) => [label, colour]));
  if (colours.size === 0) return null;
  return (
    <ul className="time-kinds" aria-label="Kinds of code">
      {[...colours].map(([label, colour]) => (
        <li key={label}>
          <span className="flame-swatch" style={{ background: colour }} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}
