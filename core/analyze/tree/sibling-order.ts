import type { CallTree } from '../view/stack-view.ts';

/** `name`: by function name, then module. `weight`: heaviest first, ties by name. */
export type SiblingOrder = 'name' | 'weight';

/** Up to this many siblings use insertion sort. */
const FEW = 12;

/**
 * Returns the tree with siblings ordered heaviest first; ties keep their order. Does not support trees with gaps
 * between rows (`start`). Takes one pass over the rows plus a sort of each node's children; subtrees keep their size,
 * so each row's new position follows from its parent's.
 */
export function heaviestFirst(tree: CallTree): CallTree {
  const { length, end, total } = tree;
  const place = new Int32Array(length);
  const children = new Int32Array(length);
  for (let node = 0; node < length; node++) {
    let count = 0;
    for (let child = node + 1; child < end[node]!; child = end[child]!) children[count++] = child;
    sortHeaviestFirst(children, count, total);
    let next = place[node]! + 1;
    for (let at = 0; at < count; at++) {
      const child = children[at]!;
      place[child] = next;
      next += end[child]! - child;
    }
  }
  return movedTo(tree, place);
}

/** Sorts the first `count` of `rows`, which must be in ascending order. */
function sortHeaviestFirst(rows: Int32Array, count: number, total: Float64Array): void {
  if (count > FEW) {
    rows.subarray(0, count).sort((a, b) => total[b]! - total[a]! || a - b);
    return;
  }
  for (let at = 1; at < count; at++) {
    const row = rows[at]!;
    let slot = at;
    while (slot > 0 && total[rows[slot - 1]!]! < total[row]!) {
      rows[slot] = rows[slot - 1]!;
      slot -= 1;
    }
    rows[slot] = row;
  }
}

/** Returns the tree with its rows moved; `place` holds the new position of each. */
function movedTo(tree: CallTree, place: Int32Array): CallTree {
  const { length } = tree;
  const func = new Int32Array(length);
  const parent = new Int32Array(length);
  const depth = new Int32Array(length);
  const end = new Int32Array(length);
  const self = new Float64Array(length);
  const total = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const to = place[row]!;
    func[to] = tree.func[row]!;
    parent[to] = row === 0 ? -1 : place[tree.parent[row]!]!;
    depth[to] = tree.depth[row]!;
    end[to] = to + tree.end[row]! - row;
    self[to] = tree.self[row]!;
    total[to] = tree.total[row]!;
  }
  return { length, direction: tree.direction, func, parent, depth, end, self, total, cutDepth: tree.cutDepth };
}

/** Returns a tree's initial order: bottom-up trees show the heaviest siblings first. */
export const usualOrder = (kind: string): SiblingOrder => (kind === 'bottom-up' ? 'weight' : 'name');
