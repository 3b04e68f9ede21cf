import type { CallTree } from './stack-view.ts';

/** A forest of rows. Parents have smaller indices than their children; −1 marks a root. */
export interface Rows {
  readonly length: number;
  readonly parent: Int32Array;
}

/** Children as linked lists: `first[row + 1]` (`first[0]` for the roots), then `next[child]`; −1 ends a list. */
interface ChildLists {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** Returns the children of all rows, by index. */
export function childLists({ length, parent }: Rows): ChildLists {
  const first = new Int32Array(length + 1).fill(-1);
  const next = new Int32Array(length);
  for (let row = length - 1; row >= 0; row--) {
    const list = parent[row]! + 1;
    next[row] = first[list]!;
    first[list] = row;
  }
  return { first, next };
}

/** Walks all rows depth first without recursion; enters and leaves every row once. */
export function walkRows(
  { parent }: Rows,
  { first, next }: ChildLists,
  enter: (row: number) => void,
  leave: (row: number) => void,
): void {
  let row = first[0]!;
  while (row >= 0) {
    enter(row);
    const child = first[row + 1]!;
    if (child >= 0) {
      row = child;
      continue;
    }
    while (row >= 0) {
      leave(row);
      if (next[row]! >= 0) {
        row = next[row]!;
        break;
      }
      row = parent[row]!;
    }
  }
}

/** Returns the weight of each row including its subtree. */
export function subtreeTotals({ length, parent }: Rows, self: Float64Array): Float64Array {
  const total = self.slice(0, length);
  for (let row = length - 1; row >= 0; row--) {
    if (parent[row]! >= 0) total[parent[row]!]! += total[row]!;
  }
  return total;
}

/** Returns 1 for each chosen row, and for all rows below one. */
export function rowsWithin({ length, parent }: Rows, isChosen: (row: number) => boolean): Uint8Array {
  const within = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    if ((caller >= 0 && within[caller] === 1) || isChosen(row)) within[row] = 1;
  }
  return within;
}

/** Returns the number of rows in each row's subtree, including the row itself. */
export function subtreeSizes({ length, parent }: Rows): Int32Array {
  const size = new Int32Array(length).fill(1);
  for (let row = length - 1; row >= 0; row--) {
    if (parent[row]! >= 0) size[parent[row]!]! += size[row]!;
  }
  return size;
}

/** Returns all rows depth first, siblings by index. `size` comes from {@link subtreeSizes}. */
export function preOrder({ length, parent }: Rows, size: Int32Array): Int32Array {
  const order = new Int32Array(length);
  /** Position of the next child, by row + 1 (0 for the roots). */
  const next = new Int32Array(length + 1);
  for (let row = 0; row < length; row++) {
    const place = next[parent[row]! + 1]!;
    order[place] = row;
    next[parent[row]! + 1] = place + size[row]!;
    next[row + 1] = place + 1;
  }
  return order;
}

/** A call tree's shape: rows below one root, node 0, whose function is −1. Parents precede their children. */
export type TreeShape = Pick<CallTree, 'length' | 'func' | 'parent' | 'depth' | 'end'>;

/**
 * Returns, for each row, the number of rows in the subtrees of the siblings before it. `siblings` contains every row
 * that has a sibling, in the wanted order; a missing one comes first.
 */
export function siblingOffsets({ length, parent }: Rows, size: Int32Array, siblings: Int32Array): Int32Array {
  const offset = new Int32Array(length);
  /** Rows of the children placed so far, by caller + 1 (0 for the roots). */
  const taken = new Int32Array(length + 1);
  for (let place = 0; place < siblings.length; place++) {
    const row = siblings[place]!;
    const list = parent[row]! + 1;
    offset[row] = taken[list]!;
    taken[list]! += size[row]!;
  }
  return offset;
}

/**
 * Lays rows out depth first, computing each row's position from the sizes of the preceding subtrees, without walking
 * row by row. `offset` comes from {@link siblingOffsets} and becomes `nodeOfRow`.
 */
export function layOutTree(
  { length, parent, func }: Rows & { readonly func: Int32Array },
  size: Int32Array,
  offset: Int32Array,
): { tree: TreeShape; nodeOfRow: Int32Array } {
  const nodeOfRow = offset;
  const column = (): Int32Array => new Int32Array(length + 1);
  const tree = { length: length + 1, func: column(), parent: column(), depth: column(), end: column() };
  const { func: funcs, parent: parents, depth, end } = tree;
  funcs[0] = -1;
  parents[0] = -1;
  end[0] = tree.length;
  for (let row = 0; row < length; row++) {
    const caller = parent[row]! < 0 ? 0 : nodeOfRow[parent[row]!]!;
    const node = caller + 1 + nodeOfRow[row]!;
    nodeOfRow[row] = node;
    funcs[node] = func[row]!;
    parents[node] = caller;
    depth[node] = depth[caller]! + 1;
    end[node] = node + size[row]!;
  }
  return { tree, nodeOfRow };
}

/**
 * Recognises the rows without an ancestor of the same key, so that a stack counts once however often the key recurs in
 * it. Takes the rows in pre-order.
 */
export class OutermostRows {
  /** End of the subtree of each key's latest outermost row; 0 for a key that has not occurred. */
  readonly ends: Int32Array;

  constructor(keys: number) {
    this.ends = new Int32Array(keys);
  }

  /** Returns whether the row at `place`, whose subtree ends before `end`, is the outermost one with its key. */
  enter(key: number, place: number, end: number): boolean {
    if (place < this.ends[key]!) return false;
    this.ends[key] = end;
    return true;
  }
}

/** Calls `visit` for all rows in pre-order, siblings by index, with the row's position and the end of its subtree. */
export function visitInPreOrder(rows: Rows, visit: (row: number, place: number, end: number) => void): void {
  const size = subtreeSizes(rows);
  const order = preOrder(rows, size);
  for (let place = 0; place < order.length; place++) visit(order[place]!, place, place + size[order[place]!]!);
}
