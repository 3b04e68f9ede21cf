import {
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { useColumnWidths } from './column-widths.ts';
import { filteredRows, nextSort, sortedRows } from './row-order.ts';
import { ROW_PX, rowAfterKey, rowWindow, scrollHeight, scrollTopToShow } from './row-window.ts';
import { TableFilter } from './table-filter.tsx';
import { TableHeader } from './table-header.tsx';
import { TableRow } from './table-row.tsx';
import type { Column, DataTableProps } from './table.types.ts';
import './data-table.css';

const HEAD_PX = 26;

/** A grid over columns that draws the rows in view and nothing else. */
export function DataTable(props: DataTableProps): JSX.Element {
  const { columns, rowCount, selectedRow } = props;
  const ids = useId().replace(/[^\w-]/g, '');
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const [sort, setSort] = useState(props.initialSort);
  const [ownFilter, setOwnFilter] = useState('');
  const [scrollTop, setScrollTop] = useState(0);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const filter = props.filter ?? ownFilter;
  const deferredFilter = useDeferredValue(filter);
  const widths = useColumnWidths(columns);

  const sortColumn = columns.find(({ id }) => id === sort.column) ?? columns[0];
  const order = useMemo(
    () => (sortColumn === undefined ? new Int32Array(0) : sortedRows(rowCount, sortColumn, sort.direction)),
    [rowCount, sortColumn, sort.direction],
  );
  const shown = useMemo(() => filteredRows(order, columns, deferredFilter), [order, columns, deferredFilter]);
  const selectedPosition = useMemo(
    () => (selectedRow === null ? -1 : shown.indexOf(selectedRow)),
    [shown, selectedRow],
  );

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setSize({ width: element.clientWidth, height: Math.max(0, element.clientHeight - HEAD_PX) });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const viewport = size.height;
  const keepScroll = props.keepScroll === true;
  const shownColumns = useRef(columns);
  /** A new selection scrolls into view; sorting and filtering leave the scroll position to the user. */
  const revealed = useRef<number | null>(null);
  useEffect(() => {
    const element = scroller.current!;
    const refreshed = shownColumns.current !== columns;
    shownColumns.current = columns;
    if (selectedRow === revealed.current || selectedPosition < 0 || viewport === 0) return;
    revealed.current = selectedRow;
    if (keepScroll && refreshed) return;
    const target = scrollTopToShow(shown.length, viewport, element.scrollTop, selectedPosition);
    if (target !== element.scrollTop) element.scrollTop = target;
  }, [selectedRow, selectedPosition, shown.length, viewport, columns, keepScroll]);

  const tableWidth = Math.max(size.width, widths.minTotal);
  /** Elements are reused as rows scroll through. */
  const slots = Math.ceil(viewport / ROW_PX) + 1;
  const inView = rowWindow(shown.length, viewport, scrollTop);
  const rowId = (position: number) => `${ids}-${position}`;
  const activeInView = selectedPosition >= inView.first && selectedPosition < inView.first + inView.count;

  function sortBy(column: Column): void {
    setSort(nextSort(sort, column));
    scroller.current!.scrollTop = 0;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== grid.current || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' && selectedRow !== null && props.onActivateRow !== undefined) {
      event.preventDefault();
      props.onActivateRow(selectedRow);
      return;
    }
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      openMenuAtSelection();
      return;
    }
    const target = rowAfterKey(event.key, selectedPosition, shown.length, viewport);
    if (target === null) return;
    event.preventDefault();
    props.onSelectRow(shown[target]!);
  }

  function openMenuAtSelection(): void {
    const element = document.querySelector(`#${rowId(selectedPosition)}`);
    if (selectedRow === null || element === null) return;
    const box = element.getBoundingClientRect();
    props.onContextMenu?.(selectedRow, { x: box.left + 40, y: box.bottom });
  }

  function onContextMenu(event: MouseEvent): void {
    const row = rowAt(event);
    if (row === null || props.onContextMenu === undefined) return;
    event.preventDefault();
    props.onSelectRow(row);
    props.onContextMenu(row, { x: event.clientX, y: event.clientY });
  }

  return (
    <div className="data-table">
      <TableFilter
        label={`Filter ${props.rowNoun}`}
        filter={filter}
        onFilter={(text) => {
          setOwnFilter(text);
          props.onFilterChange?.(text);
          scroller.current!.scrollTop = 0;
        }}
        onLeave={() => grid.current!.focus({ preventScroll: true })}
        shown={shown.length}
        all={rowCount}
        rowNoun={props.rowNoun}
      />
      <div
        ref={scroller}
        className="table-scroller"
        style={{ '--table-columns': widths.template, '--table-width': `${tableWidth}px` } as CSSProperties}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      >
        <table
          ref={grid}
          role="grid"
          tabIndex={0}
          aria-label={props.label}
          aria-rowcount={shown.length + 1}
          aria-colcount={columns.length}
          aria-activedescendant={activeInView ? rowId(selectedPosition) : undefined}
          style={{ height: HEAD_PX + Math.max(viewport, scrollHeight(shown.length)) }}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const row = rowAt(event);
            if (row !== null) props.onSelectRow(row);
          }}
          onDoubleClick={(event) => {
            const row = rowAt(event);
            if (row !== null) props.onActivateRow?.(row);
          }}
          onContextMenu={onContextMenu}
        >
          <TableHeader columns={columns} sort={sort} widths={widths} onSort={sortBy} />
          <tbody className="table-window" style={{ height: viewport }}>
            {Array.from({ length: inView.count }, (_, slot) => {
              const position = inView.first + slot;
              const row = shown[position]!;
              return (
                <TableRow
                  key={position % slots}
                  id={rowId(position)}
                  row={row}
                  position={position}
                  top={slot * ROW_PX - inView.offset}
                  columns={columns}
                  firstColumnPx={widths.firstIn(tableWidth)}
                  selected={row === selectedRow}
                />
              );
            })}
          </tbody>
        </table>
        {shown.length === 0 ? <p className="table-empty">{emptyText(rowCount, props.rowNoun)}</p> : null}
      </div>
    </div>
  );
}

function emptyText(rowCount: number, noun: string): string {
  return rowCount === 0 ? `No ${noun}.` : `No ${noun} match the filter.`;
}

/** The row of the data under an event, null elsewhere. */
function rowAt(event: MouseEvent): number | null {
  const element = event.target instanceof Element ? event.target.closest('[data-row]') : null;
  return element === null ? null : Number(element.getAttribute('data-row'));
}
