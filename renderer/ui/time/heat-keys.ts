import type { CellSpan } from './heat-canvas.tsx';

/** The keyboard's position on the map: a cell, and the one from which Shift extends. */
export interface HeatCursor {
  readonly anchor: number;
  readonly cell: number;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Returns the cursor after a key: right and left move by columns, up and down in time, within the map. Undefined if the
 * key moves nothing.
 */
export function movedCursor(
  key: string,
  extends_: boolean,
  cursor: HeatCursor | null,
  { columns, rows }: Size,
  begin: number,
): HeatCursor | undefined {
  const last = columns * rows - 1;
  const from = Math.max(0, Math.min(last, cursor?.cell ?? begin));
  const column = Math.floor(from / rows);
  const to = {
    ArrowRight: from + rows,
    ArrowLeft: from - rows,
    ArrowUp: from + 1,
    ArrowDown: from - 1,
    PageUp: from + rows * 10,
    PageDown: from - rows * 10,
    Home: 0,
    End: last,
  }[key];
  if (to === undefined) return undefined;
  if (cursor === null) return { anchor: from, cell: from };
  const isSideways = key === 'ArrowRight' || key === 'ArrowLeft' || key === 'PageUp' || key === 'PageDown';
  // Moving sideways keeps the row and stops at the last column.
  const row = from - column * rows;
  const stopped = to < 0 ? (isSideways ? row : 0) : to > last ? (isSideways ? (columns - 1) * rows + row : last) : to;
  return { anchor: extends_ ? Math.max(0, Math.min(last, cursor.anchor)) : stopped, cell: stopped };
}

export const spanOf = ({ anchor, cell }: HeatCursor): CellSpan => ({
  first: Math.min(anchor, cell),
  last: Math.max(anchor, cell),
});
