import type { FunctionTableProps } from './functions.types.ts';
import { useMemo, useRef, type JSX, useState } from 'react';
import { totalText } from '#core/analyze/reading/absolute-total.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ViewPoint } from '../../flame/graph.types.ts';
import { useKeymap } from '../../keys/use-keymap.ts';
import { chosenColumns } from '../grid/column-widths.ts';
import { commandKey } from '../command-key.ts';
import { DataTable } from '../data-table.tsx';
import {
  FUNCTION_TEXTS,
  functionTableColumns,
  functionExport,
  OWN_FUNCTION_COLUMNS,
  type FunctionColumnsOf,
} from './columns.ts';
import { FunctionToolbar } from './toolbar.tsx';
import { rowsInOrder } from '../grid/row-selection.ts';
import { keepRows } from './module-list.ts';
import { csvText, tsvText } from '../export.ts';
import { SelectionText, TableFooter } from '../footer.tsx';
import type { DataTableHandle, SortOrder, Column } from '../table.types.ts';
import { useChosenRows } from './use-chosen-rows.ts';
import { usePattern } from './use-pattern.ts';
import { useRanks } from './use-ranks.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import { useAnswer } from '../use-answer.ts';

export const BY_SELF: SortOrder = { column: 'self', direction: 'descending' };

const LABEL = 'Functions by self and total weight';

/** The table of functions with self and total weight. */
export function FunctionTableView(props: FunctionTableProps): JSX.Element {
  const {
    stats,
    texts,
    totalWeight,
    format,
    matches,
    selected,
    requests,
    look,
    layout,
    narrow = false,
    growth = null,
    lineage = null,
  } = props;
  const ownIds = growth?.own ?? OWN_FUNCTION_COLUMNS;
  const shownIds = layout.columns ?? ownIds;
  const asksCounts = shownIds.some((id) => id === 'samples' || id === 'self-samples');
  const counts = useCounts(stats, asksCounts ? requests.sampleCounts : null, lineage);
  const { ranks, sort } = useRanks(look.functionSort ?? props.ownSort, stats.length, requests.ranks, FUNCTION_TEXTS);
  const of = useMemo<FunctionColumnsOf>(
    () => ({ stats, texts, totalWeight, format, matches, counts, ranks, narrow, growth }),
    [stats, texts, totalWeight, format, matches, counts, ranks, narrow, growth],
  );
  const all = useMemo(() => functionTableColumns(of), [of]);
  const chosenOnes = useMemo(() => chosenColumns(all, ownIds, layout), [all, ownIds, layout]);

  const pattern = usePattern(look.pattern, requests.match, requests.explain);
  const { kept, hiddenCount, hiddenSelf } = useMemo(
    () => keepRows(stats, texts, pattern.matches, look.hiddenModules),
    [stats, texts, pattern.matches, look.hiddenModules],
  );
  const { chosen, selection, setChosen, ask } = useChosenRows(stats, requests, lineage);
  const selectedRow = useMemo(() => {
    const row = selected === null ? -1 : stats.func.indexOf(selected);
    return row < 0 ? null : row;
  }, [stats, selected]);

  const table = useRef<DataTableHandle>(null);
  const keymap = useKeymap();
  const shownRows = () => table.current?.shown() ?? new Int32Array(0);
  const { onPointerEnter, onPointerLeave, release, apply } = useStillOrder(stats, shownRows, growth !== null);
  const columns = apply(chosenOnes, sort);
  const ids = columns.map(({ id }) => id);
  const func = (row: number) => stats.func[row] as FunctionIndex;
  const copy = (rows: Int32Array) => props.onCopy(tsvText(functionExport(of, ids), rows));
  const { onActivate, onOpenNew, onContextMenu } = props;
  return (
    <div className="still-order" role="presentation" onPointerEnter={onPointerEnter} onPointerLeave={onPointerLeave}>
      <DataTable
        label={LABEL}
        rowNoun="functions"
        rowCount={stats.length}
        columns={columns}
        sortable={all}
        initialSort={props.ownSort}
        sort={sort}
        onSort={(next) => {
          release();
          props.onLook({ functionSort: next });
        }}
        layout={layout}
        onLayout={props.onLayout}
        kept={kept}
        keyOf={func}
        lineage={lineage}
        selectedRow={selectedRow}
        selectedRows={chosen}
        onSelectRows={setChosen}
        onSelectRow={(row) => props.onSelect(func(row))}
        {...(onActivate === undefined ? {} : { onActivateRow: (row: number) => onActivate(func(row)) })}
        onOpenNewRow={onOpenNew && ((row) => onOpenNew(func(row)))}
        {...(onContextMenu === undefined
          ? {}
          : { onContextMenu: (row: number, point: ViewPoint) => onContextMenu(func(row), point) })}
        onCopy={copy}
        onKey={(event) => {
          const command = selectedRow === null ? null : commandKey(keymap, event);
          if (command !== null) props.onCommand(command);
          return command !== null;
        }}
        toolbar={
          <FunctionToolbar
            {...props}
            running={pattern.running}
            refused={pattern.refused}
            hiddenCount={hiddenCount}
            hiddenSelf={hiddenSelf}
            columns={all}
            shownColumns={ids}
            focusRows={() => table.current?.focus()}
            onCopyRows={(form) => {
              const rows = chosen === null ? shownRows() : rowsInOrder(shownRows(), chosen);
              if (form === '') copy(rows);
              else props.onCopyAs?.(form, { label: LABEL, columns, rows });
            }}
            onExportRows={() => {
              void requests
                .notes()
                .then((notes) => props.onExport(csvText(notes, functionExport(of, ids), shownRows())));
            }}
          />
        }
        footer={
          <TableFooter>
            {chosen !== null && chosen.count > 1 ? (
              <SelectionText
                count={chosen.count}
                noun="function"
                totalWeight={totalWeight}
                format={format}
                ask={ask}
                subject={selection}
              />
            ) : (
              <WholeText {...props} hiddenSelf={hiddenSelf} />
            )}
          </TableFooter>
        }
        handle={table}
      />
    </div>
  );
}

/** States that the rows' self weights add up to the view. */
function WholeText({
  stats,
  totalWeight,
  absoluteWeight = 0,
  withoutStack,
  format,
  hiddenSelf,
}: FunctionTableProps & { hiddenSelf: number }) {
  const self = useMemo(() => stats.self.reduce((sum, weight) => sum + weight, 0), [stats]);
  return (
    <>
      <span>
        sum of self <b className="mono">{format.value(self - hiddenSelf)}</b>
      </span>
      {hiddenSelf !== 0 && (
        <span>
          hidden by the filter <b className="mono">{format.value(hiddenSelf)}</b>
        </span>
      )}
      {withoutStack !== 0 && (
        <span>
          without a stack <b className="mono">{format.value(withoutStack)}</b>
        </span>
      )}
      <span>
        of <b className="mono">{totalText(totalWeight, absoluteWeight, format.value)}</b>
      </span>
    </>
  );
}

/**
 * Returns counts in samples, in the order of `stats`; null until known. While a profile grows (see `useAnswer`), the
 * earlier counts stay, and functions without one are NaN.
 */
function useCounts(
  stats: FunctionStats,
  ask: (() => Promise<FunctionStats>) | null,
  lineage: object | null,
): FunctionStats | null {
  const known = useAnswer(ask, lineage);
  return useMemo(() => (known === null || known.func === stats.func ? known : inOrderOf(stats, known)), [known, stats]);
}

function inOrderOf({ length, func }: FunctionStats, known: FunctionStats): FunctionStats {
  const rows = new Map(Array.from(known.func, (one, row) => [one, row]));
  const inOrder = (values: Float64Array): Float64Array =>
    Float64Array.from(func, (one) => values[rows.get(one) ?? -1] ?? Number.NaN);
  return { length, func, self: inOrder(known.self), total: inOrder(known.total) };
}

/** Keeps rows in their places while the pointer is over a table whose numbers change by themselves. */
interface StillOrder {
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
  /** Sorts again once, because the user requested it. */
  readonly release: () => void;
  /** Returns the columns; the sorted one keeps its order while the pointer is over the table. */
  readonly apply: (columns: readonly Column[], sort: SortOrder) => readonly Column[];
}

/** Returns the order. `shown` returns the rows on screen in order; no order is kept unless the table is `growing`. */
function useStillOrder(stats: FunctionStats, shown: () => Int32Array, growing: boolean): StillOrder {
  /** Places by function; null while the pointer is elsewhere. */
  const [places, setPlaces] = useState<ReadonlyMap<number, number> | null>(null);
  const release = (): void => setPlaces(null);
  return {
    onPointerEnter: () => {
      if (growing) setPlaces(new Map(Array.from(shown(), (row, place) => [stats.func[row]!, place])));
    },
    onPointerLeave: release,
    release,
    apply: (columns, { column: sorted, direction }) => {
      if (places === null) return columns;
      const sign = direction === 'descending' ? -1 : 1;
      // New functions come last.
      const values = Float64Array.from(stats.func, (func) => sign * (places.get(func) ?? places.size));
      return columns.map((column) =>
        column.id === sorted && column.kind === 'number' ? { ...column, values } : column,
      );
    },
  };
}
