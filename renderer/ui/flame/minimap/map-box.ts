import { scrollTopFor } from '../chart/layout.ts';
import type { Orientation } from '../graph.types.ts';

/** Maximum height of a row in the map. */
export const MAP_ROW_PX = 4;
/** Maximum number of rows in the map; with deep stacks, many share a pixel. */
const MAX_ROWS = 4096;

/** The visible rows of a graph, counted from the whole tree's root; partial rows count. */
export interface VisibleRows {
  /** Depth of the zoomed root, the first row that can be visible. */
  readonly rootDepth: number;
  readonly first: number;
  readonly count: number;
}

/** Returns the number of rows in the map of a tree; `maxDepth` is its depth below the root. */
export function mapRows(maxDepth: number): number {
  return Math.min(MAX_ROWS, maxDepth + 1);
}

/**
 * Places the box horizontally at each frame of a gesture, bypassing React. The range is in weights of the whole tree,
 * whose weight is `total`.
 */
export function placeAcross(
  box: HTMLElement | null,
  { first, last }: { readonly first: number; readonly last: number },
  total: number,
): void {
  if (box === null || total <= 0) return;
  box.style.left = `${(first / total) * 100}%`;
  box.style.width = `${((last - first) / total) * 100}%`;
  box.classList.toggle('wide', first <= 0 && last >= total);
}

/** Places the box at the visible rows, in a map of `rows`. */
export function placeRows(
  box: HTMLElement | null,
  { first, count }: VisibleRows,
  rows: number,
  orientation: Orientation,
): void {
  if (box === null) return;
  const isAll = first <= 0 && count >= rows;
  const high = (some: number): string => `calc(${some} * min(${MAP_ROW_PX}px, 100% / ${rows}))`;
  const distance = isAll ? '0' : high(first);
  box.style.top = orientation === 'icicle' ? distance : '';
  box.style.bottom = orientation === 'icicle' ? '' : distance;
  box.style.height = isAll ? '100%' : high(Math.min(count, rows - first));
  box.classList.toggle('high', isAll);
}

/** Scrolls a graph as its user would. `row` counts from the zoomed root. */
export function scrollToRow(scroller: HTMLElement | null, row: number, rowPx: number, orientation: Orientation): void {
  if (scroller === null) return;
  const { clientHeight: viewport, scrollHeight: content } = scroller;
  scroller.scrollTop = scrollTopFor(orientation, { rootDistance: row * rowPx, viewport, content });
}
