/** Default height of a row. */
export const ROW_PX = 22;

/**
 * Maximum scroll height. Firefox lays out nothing beyond 17.9 million px, Chromium beyond 33.5 million; longer tables
 * scroll proportionally.
 */
export const MAX_SCROLL_PX = 16_000_000;

/** The rows that are visible at a scroll position. */
export interface RowWindow {
  /** First row that is at least partly visible. */
  readonly first: number;
  /** Number of rows to draw. */
  readonly count: number;
  /** Pixels of the first row above the viewport, from 0 to ROW_PX. */
  readonly offset: number;
}

export function scrollHeight(rowCount: number, rowPx = ROW_PX): number {
  return Math.min(rowCount * rowPx, MAX_SCROLL_PX);
}

/** Returns the pixels of rows per pixel scrolled: 1 up to {@link MAX_SCROLL_PX}. */
export function rowScale(rowCount: number, viewportPx: number, rowPx: number): number {
  const scrollable = scrollHeight(rowCount, rowPx) - viewportPx;
  return scrollable <= 0 ? 1 : (rowCount * rowPx - viewportPx) / scrollable;
}

export function rowWindow(rowCount: number, viewportPx: number, scrollTop: number, rowPx = ROW_PX): RowWindow {
  const highest = Math.max(0, rowCount * rowPx - viewportPx);
  const top = Math.min(highest, Math.max(0, scrollTop * rowScale(rowCount, viewportPx, rowPx)));
  const first = Math.floor(top / rowPx);
  const count = Math.min(rowCount - first, Math.ceil(viewportPx / rowPx) + 1);
  return { first, count, offset: top - first * rowPx };
}

/** Returns the scroll position that keeps the topmost row in place when rows are added or removed below it. */
export function steadyScrollTop(
  rowsBefore: number,
  rowCount: number,
  viewportPx: number,
  scrollTop: number,
  rowPx = ROW_PX,
): number {
  return (scrollTop * rowScale(rowsBefore, viewportPx, rowPx)) / rowScale(rowCount, viewportPx, rowPx);
}

/** Returns the nearest scroll position at which a row is fully visible; distant rows are centred. */
export function scrollTopToShow(
  rowCount: number,
  viewportPx: number,
  scrollTop: number,
  row: number,
  rowPx = ROW_PX,
): number {
  const factor = rowScale(rowCount, viewportPx, rowPx);
  const top = scrollTop * factor;
  const rowTop = row * rowPx;
  if (rowTop >= top && rowTop + rowPx <= top + viewportPx) return scrollTop;
  const isNear = rowTop > top - 3 * rowPx && rowTop < top + viewportPx + 3 * rowPx;
  const middle = rowTop - (viewportPx - rowPx) / 2;
  const edge = rowTop < top ? rowTop : rowTop + rowPx - viewportPx;
  return Math.max(0, (isNear ? edge : middle) / factor);
}

/** Returns the row that a key moves to; null for other keys. */
export function rowAfterKey(
  key: string,
  row: number,
  rowCount: number,
  viewportPx: number,
  rowPx = ROW_PX,
): number | null {
  const page = Math.max(1, Math.floor(viewportPx / rowPx) - 1);
  const steps: ReadonlyMap<string, number> = new Map([
    ['ArrowDown', row + 1],
    ['ArrowUp', row < 0 ? 0 : row - 1],
    ['PageDown', row + page],
    ['PageUp', row - page],
    ['Home', 0],
    ['End', rowCount - 1],
  ]);
  const target = steps.get(key);
  return target === undefined || rowCount === 0 ? null : Math.min(rowCount - 1, Math.max(0, target));
}
