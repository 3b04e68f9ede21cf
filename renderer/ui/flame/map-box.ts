import { scrollTopFor } from './flame-layout.ts';
import type { Orientation } from './flame-graph.types.ts';

/** The tallest that a row of the map is. */
export const MAP_ROW_PX = 4;
/** Of the deepest stacks: many to a pixel. */
const MAX_ROWS = 4096;

/** Which rows of a graph are in view, counted from the whole tree's root. Parts of rows count. */
export interface VisibleRows {
  /** Of the zoomed root, the first that can be in view. */
  readonly rootDepth: number;
  readonly first: number;
  readonly count: number;
}

/** Rows of the map of a tree whose deepest node is that many below its root. */
export function mapRows(maxDepth: number): number {
  return Math.min(MAX_ROWS, maxDepth + 1);
}

/** Puts the box where the view is across, with each frame of a gesture: past React. In weights of the whole tree, which has `total`. */
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

/** Puts the box at the rows in view, of a map of `rows`. */
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

/** Scrolls a graph as its user does. `row`: below the zoomed root. */
export function scrollToRow(scroller: HTMLElement | null, row: number, rowPx: number, orientation: Orientation): void {
  if (scroller === null) return;
  const { clientHeight: viewport, scrollHeight: content } = scroller;
  scroller.scrollTop = scrollTopFor(orientation, { rootDistance: row * rowPx, viewport, content });
}
