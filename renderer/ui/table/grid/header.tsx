import { useRef, type JSX, type KeyboardEvent, type PointerEvent } from 'react';
import { KEY_STEP_PX, type ColumnWidths } from './column-widths.ts';
import type { Column, SortOrder } from '../table.types.ts';
import { useColumnDrag, type ColumnDrag } from './use-column-drag.ts';

interface TableHeaderProps {
  readonly columns: readonly Column[];
  readonly sort: SortOrder;
  readonly widths: ColumnWidths;
  readonly onSort: (column: Column) => void;
  readonly onMove: ((column: Column, by: number) => void) | undefined;
}

export function TableHeader({ columns, sort, widths, onSort, onMove }: TableHeaderProps): JSX.Element {
  const row = useRef<HTMLTableRowElement>(null);
  const drag = useColumnDrag(row, (index, by) => onMove?.(columns[index]!, by));
  return (
    <thead className="table-head">
      <tr ref={row} className="table-row" aria-rowindex={1}>
        {columns.map((column, index) => (
          <HeaderCell
            key={column.id}
            column={column}
            direction={sort.column === column.id ? sort.direction : null}
            widths={index === 0 ? null : widths}
            onSort={onSort}
            onMove={index === 0 ? undefined : onMove}
            drag={index === 0 || onMove === undefined ? null : drag.of(index)}
            dropMark={drag.markAt(index)}
          />
        ))}
      </tr>
    </thead>
  );
}

interface HeaderCellProps {
  readonly column: Column;
  readonly direction: SortOrder['direction'] | null;
  /** Null for the first column, which takes the remaining width. */
  readonly widths: ColumnWidths | null;
  readonly onSort: (column: Column) => void;
  readonly onMove: ((column: Column, by: number) => void) | undefined;
  /** Null if the column cannot be moved. */
  readonly drag: ColumnDrag | null;
  /** The edge at which a dragged column would be dropped. */
  readonly dropMark: 'before' | 'after' | undefined;
}

function HeaderCell({ column, direction, widths, onSort, onMove, drag, dropMark }: HeaderCellProps): JSX.Element {
  function onKeyDown(event: KeyboardEvent): void {
    if (widths === null || !event.altKey) return;
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    if (event.shiftKey) onMove?.(column, by);
    else widths.resize(column, widths.of(column) - by * KEY_STEP_PX);
  }
  const right = column.kind === 'number' || (column.kind === 'text' && column.align === 'right');
  const keys = onMove === undefined ? '(Alt+← and Alt+→ resize)' : '(Alt+← and Alt+→ resize, with Shift they move)';
  const what = column.title ?? (column.sortable === false ? column.header : `Sort by ${column.header}`);
  const mark = direction === 'ascending' ? '▴' : '▾';
  return (
    <th scope="col" className={right ? 'right' : 'left'} data-drop={dropMark} aria-sort={direction ?? 'none'}>
      {widths === null ? null : <ResizeHandle column={column} widths={widths} />}
      <button
        type="button"
        aria-disabled={column.sortable === false}
        title={widths === null ? what : `${what} ${keys}`}
        {...drag?.handlers}
        onClick={() => {
          // Ignores the click that ends a drag.
          if (column.sortable !== false && drag?.endsHere() !== true) onSort(column);
        }}
        onKeyDown={onKeyDown}
      >
        {column.header}
        <i aria-hidden="true">{direction === null ? '' : mark}</i>
      </button>
    </th>
  );
}

/** Returns the width in pixels that a column's head and visible cells need. */
function contentWidth(head: HTMLTableCellElement): number {
  const rows = head.closest('table')?.rows ?? [];
  let widest = 0;
  for (const row of rows) {
    const cell = row.cells[head.cellIndex];
    if (cell === undefined) continue;
    const content = document.createRange();
    content.selectNodeContents(cell.tagName === 'TH' ? cell.lastElementChild! : cell);
    const { paddingLeft, paddingRight } = getComputedStyle(cell.tagName === 'TH' ? cell.lastElementChild! : cell);
    const width =
      content.getBoundingClientRect().width + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    widest = Math.max(widest, width);
  }
  return Math.ceil(widest) + FIT_GAP_PX;
}

/** Distance to the next column's edge. */
const FIT_GAP_PX = 4;

/**
 * The handle is on the column's left edge: all columns except the first have fixed widths, so that edge follows the
 * pointer.
 */
function ResizeHandle({ column, widths }: { column: Column; widths: ColumnWidths }): JSX.Element {
  const grip = useRef<{ x: number; width: number } | null>(null);
  function onPointerDown(event: PointerEvent<HTMLSpanElement>): void {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { x: event.clientX, width: widths.of(column) };
  }
  function onPointerMove(event: PointerEvent): void {
    if (grip.current !== null) widths.resize(column, grip.current.width + grip.current.x - event.clientX);
  }
  return (
    <span
      className="resize-handle"
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        grip.current = null;
      }}
      onPointerCancel={() => {
        grip.current = null;
      }}
      onDoubleClick={({ currentTarget }) => widths.resize(column, contentWidth(currentTarget.closest('th')!))}
    />
  );
}
