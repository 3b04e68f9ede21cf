import { lastAtMost } from '../../model/last-at-most.ts';
import type { CallTree } from '../view/stack-view.ts';

/**
 * How siblings are ordered. `tree` keeps the tree's own order, which the graph draws: by name, or by time. Ties keep
 * the tree's order.
 */
export interface RowOrder {
  readonly by: 'tree' | 'name' | 'total' | 'self';
  readonly descending: boolean;
}

/**
 * Lists with more children than this are cached together with the rows before each child; shorter ones are rebuilt each
 * time.
 */
const MANY = 64;

/** Position of a row: one of these per level, starting at the tree's root. */
interface RowPlace {
  readonly list: Int32Array;
  /** Index in the list. */
  place: number;
}

interface SortedChildren {
  readonly order: RowOrder;
  sort(order: RowOrder): void;
  /** Must be called after `shown` has changed. */
  forgetCounts(): void;
  /** Returns the number of visible rows between a parent and one of its children. */
  rowsBefore(parent: number, child: number): number;
  /** Returns the path to the row with this index, which must be visible. */
  pathTo(row: number): RowPlace[];
  /**
   * Moves the path to the next visible row; after the last one it is empty. `isOpen`: whether the path's node shows its
   * children.
   */
  stepOn(path: RowPlace[], isOpen: boolean): void;
}

interface KeptList {
  readonly nodes: Int32Array;
  /** Visible rows before each child and before the end; null if not counted since the last change. */
  starts: Int32Array | null;
}

/**
 * `shown` holds the number of rows that each node takes, at least 1; the caller updates it. `rankOf` returns a
 * function's rank by name.
 */
export function createSortedChildren(
  tree: CallTree,
  shown: Int32Array,
  rankOf: (func: number) => number,
  initial: RowOrder,
): SortedChildren {
  const { end, func } = tree;
  const kept = new Map<number, KeptList>();
  const root = Int32Array.of(0);
  let order = initial;

  function makeList(node: number): Int32Array {
    let count = 0;
    for (let child = node + 1; child < end[node]!; child = end[child]!) count += 1;
    const list = new Int32Array(count);
    for (let child = node + 1, place = 0; place < count; child = end[child]!, place++) list[place] = child;
    return sortList(list);
  }

  function sortList(list: Int32Array): Int32Array {
    const { by, descending } = order;
    if (list.length === 1) return list;
    if (by === 'tree') return descending ? list.reverse() : list;
    const sign = descending ? -1 : 1;
    if (by === 'name') return list.sort((a, b) => sign * (rankOf(func[a]!) - rankOf(func[b]!)) || a - b);
    const weight = tree[by];
    return list.sort((a, b) => sign * (weight[a]! - weight[b]!) || a - b);
  }

  function listOf(node: number): Int32Array {
    const known = kept.get(node);
    if (known !== undefined) return known.nodes;
    const nodes = makeList(node);
    if (nodes.length > MANY) kept.set(node, { nodes, starts: null });
    return nodes;
  }

  function startsOf(node: number): Int32Array | null {
    const list = kept.get(node);
    if (list === undefined) return null;
    if (list.starts === null) {
      const starts = new Int32Array(list.nodes.length + 1);
      for (let place = 0; place < list.nodes.length; place++)
        starts[place + 1] = starts[place]! + shown[list.nodes[place]!]!;
      list.starts = starts;
    }
    return list.starts;
  }

  /**
   * Returns the child that contains the row, which is `row` rows below their parent, and the row's offset within that
   * child.
   */
  function descend(node: number, row: number): { list: Int32Array; place: number; into: number } {
    const list = listOf(node);
    const starts = startsOf(node);
    if (starts !== null) {
      const place = lastAtMost(row, starts.length, (at) => starts[at]!);
      return { list, place, into: row - starts[place]! };
    }
    let place = 0;
    let into = row;
    while (into >= shown[list[place]!]!) into -= shown[list[place++]!]!;
    return { list, place, into };
  }

  return {
    get order() {
      return order;
    },
    sort(next) {
      order = next;
      kept.clear();
    },
    forgetCounts() {
      for (const list of kept.values()) list.starts = null;
    },
    rowsBefore(parent, child) {
      const list = listOf(parent);
      const starts = startsOf(parent);
      if (starts !== null) return starts[list.indexOf(child)]!;
      let rows = 0;
      for (let place = 0; list[place] !== child; place++) rows += shown[list[place]!]!;
      return rows;
    },
    pathTo(row) {
      const path: RowPlace[] = [{ list: root, place: 0 }];
      for (let node = 0, left = row; left > 0;) {
        const { list, place, into } = descend(node, left - 1);
        path.push({ list, place });
        node = list[place]!;
        left = into;
      }
      return path;
    },
    stepOn(path, isOpen) {
      const last = path.at(-1)!;
      if (isOpen) {
        path.push({ list: listOf(last.list[last.place]!), place: 0 });
        return;
      }
      while (path.length > 0 && path.at(-1)!.place + 1 === path.at(-1)!.list.length) path.pop();
      if (path.length > 0) path.at(-1)!.place += 1;
    },
  };
}
