import type { Profile } from '../../model/profile.ts';
import { functionRanks } from './function-ranks.ts';
import { createSortedChildren, type RowOrder } from './sorted-children.ts';
import type { CallTree } from '../view/stack-view.ts';
import { copyOpen, type OpenPaths, type OpenRows } from './open-paths.ts';

/** A window of rows of a call tree table, starting at row `first`, in display order. Each column has `length` rows. */
export interface TreeRowWindow {
  readonly first: number;
  readonly length: number;
  /** → call tree rows. */
  readonly node: Int32Array;
  /** 0 for the tree's root. */
  readonly depth: Int32Array;
  /** {@link RowState} */
  readonly state: Uint8Array;
  /** 1-based position among siblings and number of siblings: `aria-posinset`, `aria-setsize`. */
  readonly place: Int32Array;
  readonly siblings: Int32Array;
}

export const RowState = { leaf: 0, closed: 1, open: 2 } as const;

/**
 * A call tree as a table: the root and whatever is open below it. Finds rows by counting the visible rows of each node,
 * and sorts siblings only when they are displayed, so it never builds a list of all rows. Moving costs the depth of the
 * row; opening a level or a subtree costs one pass over the tree.
 */
export interface TreeRows extends OpenRows {
  /** Number of visible rows, at least 1. */
  readonly length: number;
  readonly order: RowOrder;
  /** Returns at most `count` rows, fewer at the end. */
  window(first: number, count: number): TreeRowWindow;
  /** Returns the row that shows a node, or −1 if an ancestor is closed. */
  indexOf(node: number): number;
  setOpen(node: number, open: boolean): void;
  /** Opens a node's ancestors. */
  reveal(node: number): void;
  /** Opens the nodes above this depth and closes the rest: 0 shows only the root, Infinity shows everything. */
  openToDepth(depth: number): void;
  /** Opens or closes a node and its whole subtree. */
  setSubtreeOpen(node: number, open: boolean): void;
  /** Opens the {@link hotPath} from a node. Returns its last node. */
  openHotPath(node: number): number;
  sort(order: RowOrder): void;
  /**
   * Opens the nodes whose function paths are open in a tree of the same profile, or were in trees before that one, which
   * lacked them.
   */
  openLike(other: TreeRows): void;
}

/** Creates the rows with only the root open. `profile` is the view's. */
export function createTreeRows(profile: Profile, tree: CallTree, order: RowOrder): TreeRows {
  const { parent, depth, end } = tree;
  const open = new Uint8Array(tree.length);
  /** Number of rows that a node takes when visible: itself and its visible descendants. */
  const shown = new Int32Array(tree.length);
  let absent = new Map<number, OpenPaths>();
  let rank: Int32Array | null = null;
  const rankOf = (func: number): number => (rank ??= functionRanks(profile, tree.func).rank)[func]!;
  const children = createSortedChildren(tree, shown, rankOf, order);

  const hasChildren = (node: number): boolean => end[node]! > node + 1;

  function recount(): void {
    shown.fill(1);
    for (let node = tree.length - 1; node > 0; node--) {
      if (open[parent[node]!] === 1) shown[parent[node]!]! += shown[node]!;
    }
    children.forgetCounts();
  }

  function setOpen(node: number, isOpen: boolean): void {
    if (open[node] === (isOpen ? 1 : 0) || !hasChildren(node)) return;
    open[node] = isOpen ? 1 : 0;
    let below = 0;
    for (let child = node + 1; child < end[node]!; child = end[child]!) below += shown[child]!;
    const more = isOpen ? below : -below;
    shown[node]! += more;
    for (let at = parent[node]!; at >= 0 && open[at] === 1; at = parent[at]!) shown[at]! += more;
    children.forgetCounts();
  }

  function setAll(from: number, to: number, isOpen: (node: number) => boolean): void {
    for (let node = from; node < to; node++) open[node] = hasChildren(node) && isOpen(node) ? 1 : 0;
    recount();
  }

  function reveal(node: number): void {
    for (let at = parent[node]!; at >= 0; at = parent[at]!) setOpen(at, true);
  }

  setAll(0, 1, () => true);

  return {
    tree,
    get length() {
      return shown[0]!;
    },
    get order() {
      return children.order;
    },
    isOpen: (node) => open[node] === 1,
    absentBelow: (node) => absent.get(node),
    setOpen,
    reveal,
    sort: (next) => children.sort(next),
    openToDepth(limit) {
      setAll(0, tree.length, (node) => depth[node]! < limit);
    },
    setSubtreeOpen(node, isOpen) {
      setAll(node, end[node]!, () => isOpen);
      if (!isOpen) for (const at of absent.keys()) if (at >= node && at < end[node]!) absent.delete(at);
    },
    openHotPath(node) {
      const path = hotPath(tree, node);
      const last = path.at(-1)!;
      // Deepest first: each count then stops at the next node up, which is still closed.
      for (const at of path.subarray(0, -1).reverse()) setOpen(at, true);
      return last;
    },
    openLike(other) {
      absent = copyOpen(other, tree, open);
      recount();
    },
    indexOf(node) {
      let index = 0;
      for (let at = node; at > 0; at = parent[at]!) {
        if (open[parent[at]!] === 0) return -1;
        index += 1 + children.rowsBefore(parent[at]!, at);
      }
      return index;
    },
    window(first, count) {
      const from = Math.max(0, Math.min(first, shown[0]!));
      const length = Math.max(0, Math.min(count, shown[0]! - from));
      const rows = emptyWindow(from, length);
      if (length === 0) return rows;
      const path = children.pathTo(from);
      for (let row = 0; row < length; row++) {
        const { list, place } = path.at(-1)!;
        const node = list[place]!;
        rows.node[row] = node;
        rows.depth[row] = depth[node]!;
        rows.place[row] = place + 1;
        rows.siblings[row] = list.length;
        rows.state[row] = hasChildren(node) ? (open[node] === 1 ? RowState.open : RowState.closed) : RowState.leaf;
        children.stepOn(path, open[node] === 1);
      }
      return rows;
    },
  };
}

function emptyWindow(first: number, length: number): TreeRowWindow {
  return {
    first,
    length,
    node: new Int32Array(length),
    depth: new Int32Array(length),
    state: new Uint8Array(length),
    place: new Int32Array(length),
    siblings: new Int32Array(length),
  };
}

/** Returns the path from a node to a leaf that follows the heaviest child; ties by the tree's order. */
export function hotPath({ end, total }: CallTree, node: number): Int32Array {
  const path = [node];
  for (let at = node; end[at]! > at + 1;) {
    const stop = end[at]!;
    let heaviest = at + 1;
    for (let child = heaviest; child < stop; child = end[child]!)
      if (total[child]! > total[heaviest]!) heaviest = child;
    path.push(heaviest);
    at = heaviest;
  }
  return Int32Array.from(path);
}
