import { float64Column, int32Column } from '../../model/intern/column.ts';
import type { CallTree, VisibleSlice } from '../view/stack-view.ts';

export interface SliceWindow {
  /** Call tree row that fills the width. */
  readonly root: number;
  readonly widthPx: number;
  /** Rows narrower than this go into fillers. */
  readonly minWidthPx: number;
  /** Depths below the root to return: from `firstDepth` up to, but not including, `firstDepth + depthCount`. */
  readonly firstDepth: number;
  readonly depthCount: number;
  /**
   * Range of weights within the root, from its left edge, that fills the width instead of the whole root: half-open,
   * first < last.
   */
  readonly firstWeight?: number;
  readonly lastWeight?: number;
}

/**
 * Returns the rows of a subtree that are visible at a width, within a window of depths. If the window contains a row's
 * children, the children and fillers add up to the row's total minus its self weight. If a weight range is given, rows
 * outside it are left out and do not count in fillers; rows that cross an edge keep their whole total and start, and
 * the caller must clip them. Time is linear in the rows returned plus the narrow siblings skipped (subtrees are skipped
 * whole), plus one pass over the subtree if `maxDepth` is not given (see {@link deepestBelow}).
 *
 * If the tree has gaps between rows, a filler is drawn from its first row on and extends at most `minWidthPx` from any
 * of its rows.
 */
export function visibleSlice(
  tree: CallTree,
  window: SliceWindow,
  maxDepth = deepestBelow(tree, window.root),
): VisibleSlice {
  const { root, firstDepth } = window;
  const lastDepth = firstDepth + window.depthCount - 1;
  const stop = tree.end[root]!;
  const rootTotal = tree.total[root]!;
  const { firstWeight = -Infinity, lastWeight = Infinity } = window;
  const span = Math.min(lastWeight, rootTotal) - Math.max(firstWeight, 0);
  const pxPerWeight = span > 0 ? window.widthPx / span : 0;
  const columns = new SliceColumns(window.minWidthPx / pxPerWeight);
  /** Per depth of the current path: the slice row (−1 above the window), and the start of its next child. */
  const sliceRow: number[] = [];
  const nextStart: number[] = [0];
  for (let node = root; node < stop;) {
    const depth = tree.depth[node]! - tree.depth[root]!;
    const total = tree.total[node]!;
    const start = tree.start === undefined ? nextStart[depth]! : tree.start[node]! - tree.start[root]!;
    nextStart[depth] = start + total;
    if (node !== root && (start + total <= firstWeight || start >= lastWeight)) {
      node = tree.end[node]!;
      continue;
    }
    const parent = depth === 0 || depth === firstDepth ? -1 : sliceRow[depth - 1]!;
    const isNarrow = node !== root && total * pxPerWeight < window.minWidthPx;
    if (isNarrow) {
      if (depth >= firstDepth) columns.addHidden(tree, node, parent, depth, start);
    } else {
      sliceRow[depth] = depth >= firstDepth && depth <= lastDepth ? columns.add(node, parent, depth, total, start) : -1;
      nextStart[depth + 1] = start;
    }
    node = isNarrow || depth >= lastDepth ? tree.end[node]! : node + 1;
  }
  return columns.finish(maxDepth);
}

/** Returns the number of levels below a subtree's root. */
export function deepestBelow(tree: CallTree, root: number): number {
  const { depth } = tree;
  const stop = tree.end[root]!;
  let deepest = depth[root]!;
  for (let node = root; node < stop; node++) if (depth[node]! > deepest) deepest = depth[node]!;
  return deepest - depth[root]!;
}

const FILLER = -1;

class SliceColumns {
  readonly #node = int32Column();
  readonly #parent = int32Column();
  readonly #depth = int32Column();
  readonly #total = float64Column();
  readonly #fillerNodes = int32Column();
  readonly #fillerFirst = int32Column();
  readonly #start = float64Column();
  /** Call tree row whose children the latest filler hides. */
  #fillerCaller = -1;
  readonly #maxGap: number;

  /** `maxGap` is the weight that may lie between two rows of one filler. */
  constructor(maxGap: number) {
    this.#maxGap = maxGap;
  }

  add(node: number, parent: number, depth: number, total: number, start: number): number {
    this.#node.push(node);
    this.#parent.push(parent);
    this.#depth.push(depth);
    this.#total.push(total);
    this.#fillerNodes.push(0);
    this.#fillerFirst.push(FILLER);
    this.#start.push(start);
    return this.#node.length - 1;
  }

  /** Hides a subtree: extends the previous filler if it ends with a sibling, otherwise starts a new one. */
  addHidden(tree: CallTree, node: number, parent: number, depth: number, start: number): void {
    const last = this.#node.length - 1;
    const caller = tree.parent[node]!;
    const adjoins =
      last >= 0 &&
      this.#node.get(last) === FILLER &&
      this.#fillerCaller === caller &&
      !(start - this.#start.get(last) - this.#total.get(last) > this.#maxGap);
    const row = adjoins ? last : this.add(FILLER, parent, depth, 0, start);
    if (!adjoins) this.#fillerFirst.set(row, node);
    this.#fillerCaller = caller;
    this.#total.set(row, this.#total.get(row) + tree.total[node]!);
    this.#fillerNodes.set(row, this.#fillerNodes.get(row) + tree.end[node]! - node);
  }

  finish(maxDepth: number): VisibleSlice {
    return {
      length: this.#node.length,
      node: this.#node.finish(),
      parent: this.#parent.finish(),
      depth: this.#depth.finish(),
      total: this.#total.finish(),
      fillerNodes: this.#fillerNodes.finish(),
      fillerFirst: this.#fillerFirst.finish(),
      start: this.#start.finish(),
      maxDepth,
    };
  }
}
