/**
 * A stretch of time as columns of equal length, each cut into rows of equal length (one where only columns matter). Cell
 * `column × rows + row`. All times are nanoseconds after the profile's `timeOrigin`.
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

/** Where a cell begins; of the number of cells: where the last one ends. */
export function cellStart({ start, end, columns, rows }: TimeGrid, cell: number): number {
  const column = Math.floor(cell / rows);
  if (column >= columns) return end;
  const columnNs = (end - start) / columns;
  return start + column * columnNs + ((cell - column * rows) * columnNs) / rows;
}

/** The cell that holds a time, by the very limits that {@link cellStart} gives; times outside belong to the first or last cell. */
export function cellAt(grid: TimeGrid, time: number): number {
  const cells = grid.columns * grid.rows;
  const near = Math.floor((time - grid.start) * (cells / (grid.end - grid.start)));
  const cell = Math.max(0, Math.min(cells - 1, near));
  if (cell > 0 && time < cellStart(grid, cell)) return cell - 1;
  return cell < cells - 1 && time >= cellStart(grid, cell + 1) ? cell + 1 : cell;
}

/** From the beginning of the earlier of two cells to the end of the later one. */
export function rangeOfCells(grid: TimeGrid, one: number, other: number): TimeRange {
  return { start: cellStart(grid, Math.min(one, other)), end: cellStart(grid, Math.max(one, other) + 1) };
}
