/**
 * A span of time divided into columns of equal length, each divided into rows of equal length (one row if only columns
 * matter). Cells are numbered `column × rows + row`. All times are nanoseconds after the profile's `timeOrigin`.
 */
export interface TimeGrid {
  readonly start: number;
  readonly end: number;
  readonly columns: number;
  readonly rows: number;
}

/** Half-open. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the start of a cell; for the number of cells, the end of the last one. */
export function cellStart({ start, end, columns, rows }: TimeGrid, cell: number): number {
  const column = Math.floor(cell / rows);
  if (column >= columns) return end;
  const columnNs = (end - start) / columns;
  return start + column * columnNs + ((cell - column * rows) * columnNs) / rows;
}

/**
 * Returns the cell that contains a time, with exactly the limits of {@link cellStart}. Times outside belong to the
 * first or last cell.
 */
export function cellAt(grid: TimeGrid, time: number): number {
  const cells = grid.columns * grid.rows;
  const near = Math.floor((time - grid.start) * (cells / (grid.end - grid.start)));
  const cell = Math.max(0, Math.min(cells - 1, near));
  if (cell > 0 && time < cellStart(grid, cell)) return cell - 1;
  return cell < cells - 1 && time >= cellStart(grid, cell + 1) ? cell + 1 : cell;
}

/** Returns the range from the start of the earlier of two cells to the end of the later one. */
export function rangeOfCells(grid: TimeGrid, one: number, other: number): TimeRange {
  return { start: cellStart(grid, Math.min(one, other)), end: cellStart(grid, Math.max(one, other) + 1) };
}
