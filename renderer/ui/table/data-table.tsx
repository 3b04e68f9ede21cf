import {
  useCallback,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type JSX,
  type KeyboardEvent,
} from 'react';
import { useColumnWidths, withColumn } from './grid/column-widths.ts';
import { GridView } from './grid/view.tsx';
import type { GridHandle } from './grid/grid.types.ts';
import { NumberOrder } from './grid/number-order.ts';
import { filteredRows, flaggedRows, nextSort, sortedRows } from './grid/row-order.ts';
import { rowSet, rowsInOrder, toggledRow, type SelectMode } from './grid/row-selection.ts';
import { OWN_LAYOUT, type Column, type DataTableProps } from './table.types.ts';
import { count } from '../format.ts';

/** A grid over columns whose rows are all in memory; it sorts, filters and selects rows itself. */
export function DataTable({ handle, ...props }: DataTableProps): JSX.Element {
  const { columns, rowCount, selectedRow, selectedRows = null, keyOf = (row) => row } = props;
  const grid = useRef<GridHandle>(null);
  const [ownSort, setOwnSort] = useState(props.initialSort);
  const sort = props.sort ?? ownSort;
  const [filter, setFilter] = useState('');
  const deferredFilter = useDeferredValue(filter);
  const widths = useColumnWidths(columns, props.layout, props.onLayout);
  /** The key of the row at which a range selection starts. */
  const anchor = useRef<number | null>(null);

  const [numbers] = useState(() => new NumberOrder());
  const { sortable = columns } = props;
  const sortColumn = sortable.find(({ id }) => id === sort.column) ?? columns[0];
  const order = useMemo(
    () => (sortColumn === undefined ? new Int32Array(0) : sortedRows(rowCount, sortColumn, sort.direction, numbers)),
    [rowCount, sortColumn, sort.direction, numbers],
  );
  const { kept = null } = props;
  const shown = useMemo(() => {
    const keptRows = kept === null ? order : flaggedRows(order, kept);
    return filteredRows(keptRows, columns, deferredFilter);
  }, [order, columns, deferredFilter, kept]);
  const selectedPosition = useMemo(
    () => (selectedRow === null ? -1 : shown.indexOf(selectedRow)),
    [shown, selectedRow],
  );
  const rowAt = useCallback((position: number) => shown[position] ?? -1, [shown]);

  const shownKept = useRef(kept);
  useEffect(() => {
    if (shownKept.current === kept) return;
    shownKept.current = kept;
    // Without the filter, the selected row could be anywhere in the table.
    grid.current?.scrollToTop({ orActive: kept === null });
  }, [kept]);

  useImperativeHandle(handle, () => ({ shown: () => shown, focus: () => grid.current?.focus() }), [shown]);

  function sortBy(column: Column): void {
    const next = nextSort(sort, column);
    setOwnSort(next);
    props.onSort?.(next);
    grid.current?.scrollToTop({ orActive: false });
  }

  function moveColumn(column: Column, by: number): void {
    const ids = columns.map(({ id }) => id);
    props.onLayout?.({ ...(props.layout ?? OWN_LAYOUT), columns: withColumn(ids, column.id, by) });
  }

  function select(position: number, mode: SelectMode): void {
    const row = shown[position]!;
    if (mode === 'range') {
      const start = anchor.current ?? keyOf(selectedRow ?? row);
      const from = shown.findIndex((one) => keyOf(one) === start);
      const [first, last] = from < position ? [Math.max(0, from), position] : [position, from];
      props.onSelectRows?.(rowSet(rowCount, shown.subarray(first, last + 1)));
    } else {
      anchor.current = keyOf(row);
      props.onSelectRows?.(mode === 'toggle' ? toggledRow(rowCount, selectedRows, selectedRow, row) : null);
    }
    props.onSelectRow(row);
  }

  function onKey(event: KeyboardEvent): boolean {
    if (props.onKey?.(event) === true) return true;
    if (event.key === 'Escape' && selectedRows !== null) {
      props.onSelectRows?.(null);
      return true;
    }
    if (event.key !== 'c' || !(event.ctrlKey || event.metaKey) || props.onCopy === undefined) return false;
    if (selectedRows !== null) props.onCopy(rowsInOrder(shown, selectedRows));
    else if (selectedRow !== null) props.onCopy(Int32Array.of(selectedRow));
    return true;
  }

  const { onActivateRow, onOpenNewRow, onHoverRow, onContextMenu } = props;
  return (
    <div className="data-table">
      {props.toolbar === undefined ? (
        <TableFilter
          label={`Filter ${props.rowNoun}`}
          filter={filter}
          onFilter={(text) => {
            setFilter(text);
            grid.current?.scrollToTop({ orActive: false });
          }}
          onLeave={() => grid.current?.focus()}
          shown={shown.length}
          all={rowCount}
          rowNoun={props.rowNoun}
        />
      ) : (
        props.toolbar
      )}
      <GridView
        handle={grid}
        label={props.label}
        kind="grid"
        columns={columns}
        widths={widths}
        sort={sort}
        onSort={sortBy}
        onMoveColumn={props.onLayout === undefined ? undefined : moveColumn}
        rowCount={shown.length}
        rowAt={rowAt}
        activePosition={selectedPosition}
        activeKey={selectedRow === null ? null : keyOf(selectedRow)}
        lineage={props.lineage ?? null}
        keepScroll={props.keepScroll === true}
        multiple={props.onSelectRows !== undefined}
        isSelected={(row) => (selectedRows === null ? row === selectedRow : selectedRows.flags[row] === 1)}
        onSelect={select}
        {...(props.onSelectRows === undefined
          ? {}
          : { onSelectAll: () => props.onSelectRows?.(rowSet(rowCount, shown)) })}
        onActivate={onActivateRow && ((position) => onActivateRow(shown[position]!))}
        onOpenNew={onOpenNewRow && ((position) => onOpenNewRow(shown[position]!))}
        onHover={onHoverRow && ((position) => onHoverRow(position === null ? null : shown[position]!))}
        onContextMenu={onContextMenu && ((position, point) => onContextMenu(shown[position]!, point))}
        onKey={onKey}
        empty={
          rowCount === 0
            ? (props.emptyText ?? `No ${props.rowNoun}.`)
            : `No ${props.rowNoun} match the filter. ${props.emptyHint ?? ''}`.trim()
        }
      />
      {props.footer}
    </div>
  );
}

interface TableFilterProps {
  readonly label: string;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** Called on arrow down, to focus the rows. */
  readonly onLeave: () => void;
  readonly shown: number;
  readonly all: number;
  readonly rowNoun: string;
}

function TableFilter(props: TableFilterProps): JSX.Element {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') props.onLeave();
    else if (event.key === 'Escape' && props.filter !== '') props.onFilter('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const all = props.all === 0 ? '' : `${count(props.all)} ${props.rowNoun}`;
  return (
    <div className="table-filter">
      <input
        type="text"
        aria-label={props.label}
        placeholder={props.label}
        spellCheck={false}
        autoComplete="off"
        maxLength={500}
        value={props.filter}
        onChange={(event) => props.onFilter(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <output>{props.filter.trim() === '' || all === '' ? all : `${count(props.shown)} of ${all}`}</output>
    </div>
  );
}
