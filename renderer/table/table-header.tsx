import { useRef, type JSX, type KeyboardEvent, type PointerEvent } from 'react';
import { KEY_STEP_PX, type ColumnWidths } from './column-widths.ts';
import type { Column, SortOrder } from './table.types.ts';

interface TableHeaderProps {
  readonly columns: readonly Column[];
  readonly sort: SortOrder;
  readonly widths: ColumnWidths;
  readonly onSort: (column: Column) => void;
}

export function TableHeader({ columns, sort, widths, onSort }: TableHeaderProps): JSX.Element {
  return (
    <thead className="table-head">
      <tr className="table-row" aria-rowindex={1}>
        {columns.map((column, index) => (
          <HeaderCell
            key={column.id}
            column={column}
            direction={sort.column === column.id ? sort.direction : null}
            widths={index === 0 ? null : widths}
            onSort={onSort}
          />
        ))}
      </tr>
    </thead>
  );
}

interface HeaderCellProps {
  readonly column: Column;
  readonly direction: SortOrder['direction'] | null;
  /** Null for the first column, which takes what is left. */
  readonly widths: ColumnWidths | null;
  readonly onSort: (column: Column) => void;
}

function HeaderCell({ column, direction, widths, onSort }: HeaderCellProps): JSX.Element {
  function onKeyDown(event: KeyboardEvent): void {
    if (widths === null || !event.altKey) return;
    const step = event.key === 'ArrowLeft' ? KEY_STEP_PX : event.key === 'ArrowRight' ? -KEY_STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    widths.resize(column, widths.of(column) + step);
  }
  const right = column.kind === 'number' || column.align === 'right';
  const mark = direction === 'ascending' ? '▴' : '▾';
  return (
    <th scope="col" className={right ? 'right' : 'left'} aria-sort={direction ?? 'none'}>
      {widths === null ? null : <ResizeHandle column={column} widths={widths} />}
      <button
        type="button"
        title={widths === null ? `Sort by ${column.header}` : `Sort by ${column.header} (Alt+← and Alt+→ resize)`}
        onClick={() => onSort(column)}
        onKeyDown={onKeyDown}
      >
        {column.header}
        <i aria-hidden="true">{direction === null ? '' : mark}</i>
      </button>
    </th>
  );
}

/** On a column's left edge: all columns but the first are as wide as they say, so that edge follows the pointer. */
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
      onDoubleClick={() => widths.reset(column)}
    />
  );
}
