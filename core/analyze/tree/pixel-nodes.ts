import type { SliceWindow } from './visible-slice.ts';
import type { CallTree } from '../view/stack-view.ts';

/** Adjacent pixel columns. */
interface PixelColumns {
  readonly columns: number;
  /** Range of weights within the root, divided evenly among the columns. */
  readonly first: number;
  readonly last: number;
}

/** Returns the first column whose middle is at or right of a weight, which may be outside the range. */
function columnFrom({ columns, first, last }: PixelColumns, weight: number): number {
  return Math.ceil((weight - first) * (columns / (last - first)) - 0.5);
}

/** The node at the middle of each pixel column, for each depth. */
export interface PixelNodes extends PixelColumns {
  /** Depth of the first row. */
  readonly firstDepth: number;
  readonly depthCount: number;
  /** Call tree row by depth and column, `(depth − firstDepth) × columns + column`; −1 if there is no narrow node. */
  readonly node: Int32Array;
}

/**
 * Returns the rows of a subtree that a {@link visibleSlice} of the same window puts into fillers, sampled at the middle
 * of each column, so that a group of narrow rows gets columns in proportion to its weight. Null if there are none. Time
 * is linear in the rows returned and their siblings.
 */
export function narrowNodesAtPixels(tree: CallTree, window: SliceWindow, columns: number): PixelNodes | null {
  const { root, firstDepth, depthCount, minWidthPx } = window;
  const first = Math.max(window.firstWeight ?? 0, 0);
  const last = Math.min(window.lastWeight ?? Infinity, tree.total[root]!);
  if (!(last > first) || columns < 1) return null;
  const across = { columns, first, last };
  const pxPerWeight = window.widthPx / (last - first);
  const lastDepth = firstDepth + depthCount - 1;
  const stop = tree.end[root]!;
  const node = new Int32Array(columns * depthCount).fill(-1);
  let [highest, deepest] = [depthCount, -1];
  /** Start of the next child, by depth. */
  const nextStart: number[] = [0];
  for (let at = root; at < stop;) {
    const depth = tree.depth[at]! - tree.depth[root]!;
    const total = tree.total[at]!;
    const start = tree.start === undefined ? nextStart[depth]! : tree.start[at]! - tree.start[root]!;
    nextStart[depth] = start + total;
    nextStart[depth + 1] = start;
    const from = Math.max(0, columnFrom(across, start));
    const to = Math.min(columns, columnFrom(across, start + total));
    const isMet = at === root || from < to;
    if (isMet && at !== root && total * pxPerWeight < minWidthPx && depth >= firstDepth) {
      const row = depth - firstDepth;
      node.fill(at, row * columns + from, row * columns + to);
      highest = Math.min(highest, row);
      deepest = Math.max(deepest, row);
    }
    at = isMet && depth < lastDepth ? at + 1 : tree.end[at]!;
  }
  if (deepest < 0) return null;
  const rows = { firstDepth: firstDepth + highest, depthCount: deepest + 1 - highest };
  return { ...across, ...rows, node: node.slice(highest * columns, (deepest + 1) * columns) };
}
