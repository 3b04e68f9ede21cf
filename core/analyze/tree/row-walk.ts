/** A forest of rows whose parents have smaller indices; −1 at the roots. */
export interface Rows {
  readonly length: number;
  readonly parent: Int32Array;
}

/** Children as linked lists: `first[row + 1]` (`first[0]`: the roots), then `next[child]`; −1 ends a list. */
export interface ChildLists {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** Children in the order of `order` (all rows, each once), or by index where there is none. */
export function childLists({ length, parent }: Rows, order: Int32Array | null = null): ChildLists {
  const first = new Int32Array(length + 1).fill(-1);
  const next = new Int32Array(length);
  for (let place = length - 1; place >= 0; place--) {
    const row = order === null ? place : order[place]!;
    const list = parent[row]! + 1;
    next[row] = first[list]!;
    first[list] = row;
  }
  return { first, next };
}

/** Walks all rows depth first without recursion; every row is entered once and left once. */
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

/** Weight of each row with everything below it. */
export function subtreeTotals({ length, parent }: Rows, self: Float64Array): Float64Array {
  const total = self.slice(0, length);
  for (let row = length - 1; row >= 0; row--) {
    if (parent[row]! >= 0) total[parent[row]!]! += total[row]!;
  }
  return total;
}

/** Rows that each row has below it, itself counted. */
export function subtreeSizes({ length, parent }: Rows): Int32Array {
  const size = new Int32Array(length).fill(1);
  for (let row = length - 1; row >= 0; row--) {
    if (parent[row]! >= 0) size[parent[row]!]! += size[row]!;
  }
  return size;
}

/** All rows depth first, siblings by index. `size`: see {@link subtreeSizes}. */
export function preOrder({ length, parent }: Rows, size: Int32Array): Int32Array {
  const order = new Int32Array(length);
  /** By row + 1 (0: the roots): where its next child goes. */
  const next = new Int32Array(length + 1);
  for (let row = 0; row < length; row++) {
    const place = next[parent[row]! + 1]!;
    order[place] = row;
    next[parent[row]! + 1] = place + size[row]!;
    next[row + 1] = place + 1;
  }
  return order;
}
