import { memo, type JSX } from 'react';
import { shortenMiddle } from '#core/analyze/function-label.ts';
import { visibleText } from '../flame/frame-label.ts';
import { ROW_PX } from './row-window.ts';
import type { Column, NumberColumn, TextColumn } from './table.types.ts';

/** Width of a character of the 12-px mono face, and of a cell's padding. */
const MONO_PX = 7.23;
const PADDING_PX = 20;
/** Tooltips of names that are megabytes long stay readable. */
const MAX_TITLE = 2000;

interface TableRowProps {
  readonly id: string;
  readonly row: number;
  /** In the shown order, from 0. */
  readonly position: number;
  readonly top: number;
  readonly columns: readonly Column[];
  readonly firstColumnPx: number;
  readonly selected: boolean;
}

export const TableRow = memo(function TableRow(props: TableRowProps): JSX.Element {
  const { row, position, columns } = props;
  return (
    <tr
      id={props.id}
      className={props.selected ? 'table-row selected' : 'table-row'}
      aria-rowindex={position + 2}
      aria-selected={props.selected}
      data-row={row}
      style={{ transform: `translateY(${props.top}px)`, height: ROW_PX }}
    >
      {columns.map((column, index) =>
        column.kind === 'text' ? (
          <TextCell key={column.id} column={column} row={row} widthPx={index === 0 ? props.firstColumnPx : null} />
        ) : (
          <NumberCell key={column.id} column={column} row={row} />
        ),
      )}
    </tr>
  );
});

function TextCell({ column, row, widthPx }: { column: TextColumn; row: number; widthPx: number | null }): JSX.Element {
  const full = visibleText(column.text(row).slice(0, MAX_TITLE));
  const fits = widthPx === null ? full.length : Math.max(4, Math.floor((widthPx - PADDING_PX) / MONO_PX));
  const shown = column.mono ? shortenMiddle(full, fits) : full;
  return (
    <td className={`${column.mono ? 'mono' : ''} ${column.align}`} title={full}>
      {shown}
    </td>
  );
}

function NumberCell({ column, row }: { column: NumberColumn; row: number }): JSX.Element {
  const value = column.values[row]!;
  const { barWhole } = column;
  if (barWhole === undefined) {
    return <td className="mono right">{column.format(value)}</td>;
  }
  const share = barWhole > 0 ? Math.min(1, Math.max(0, value / barWhole)) : 0;
  return (
    <td className="mono right with-bar">
      <span className="bar-space">
        <span className="bar" style={{ width: `${(100 * share).toFixed(2)}%` }} />
      </span>
      <span className="bar-value">{column.format(value)}</span>
    </td>
  );
}
