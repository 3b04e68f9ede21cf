import { doubled } from '../model/intern/byte-table.ts';
import type { StackTable } from '../model/profile.ts';

/** Stacks as they read in folded text, in pre-order: a path's callees follow it, siblings are in the order of their names. */
export interface FoldedPaths {
  /** → paths, smaller than the path's own index; −1 at the root. */
  readonly parent: Int32Array;
  /** The path's last name, as its rank. */
  readonly name: Int32Array;
  /** By row of the stack table: its path. */
  readonly ofStack: Int32Array;
}

/** Up to here siblings are put in order by moving each to its place, which beats everything else for a few. */
const FEW_SIBLINGS = 24;
/** Exact with row numbers below 2^31: keys stay below 2^53 for four million names. */
const ROWS = 2 ** 31;

/**
 * Stacks that read the same, by names, become one path: addresses, lines and modules don't show in folded text. One walk over the stack
 * table merges and orders them. A capture may have millions of stacks, so columns that are done with are written over: the walk takes 12
 * bytes a row beside the table.
 */
export function foldedPaths(stacks: StackTable, nameOfFrame: Int32Array): FoldedPaths {
  const { length, parent, frame } = stacks;
  const siblings = new SiblingLists(length);
  // Backwards, so that each list is in the order of the rows.
  for (let row = length - 1; row >= 0; row--) siblings.add(parent[row]!, row);

  const firstRows = new Int32Array(length);
  // A row's list of callees is read once, when its path begins: its place then holds the path.
  const ofStack = siblings.first;
  const pending = new PendingPaths();
  let count = 0;
  for (let row = siblings.firstRoot; row >= 0; row = siblings.next[row]!) {
    pending.gather(row, nameOfFrame[frame[row]!]!);
  }
  pending.push();
  while (pending.length > 0) {
    let path = count++;
    let entry = pending.pop();
    let row = entry < 0 ? ~entry : entry;
    firstRows[path] = row;
    if (entry < 0) {
      // Most stacks have one callee: no need to put that in order.
      for (let below = ofStack[row]!; below >= 0 && siblings.next[below]! < 0; below = ofStack[row]!) {
        ofStack[row] = path;
        path = count++;
        row = below;
        firstRows[path] = row;
      }
    }
    for (;;) {
      for (let below = ofStack[row]!; below >= 0; below = siblings.next[below]!) {
        pending.gather(below, nameOfFrame[frame[below]!]!);
      }
      ofStack[row] = path;
      if (entry < 0) break;
      entry = pending.pop();
      row = entry < 0 ? ~entry : entry;
    }
    pending.push();
  }
  const parents = siblings.next;
  const names = firstRows;
  for (let path = 0; path < count; path++) {
    const row = firstRows[path]!;
    const above = parent[row]!;
    parents[path] = above < 0 ? -1 : ofStack[above]!;
    names[path] = nameOfFrame[frame[row]!]!;
  }
  return { parent: parents.subarray(0, count), name: names.subarray(0, count), ofStack };
}

/** The callees of each row, as linked lists. */
class SiblingLists {
  /** By row: its first callee; −1: none. */
  readonly first: Int32Array;
  /** By row: the next callee of its caller; −1: none. */
  readonly next: Int32Array;
  firstRoot = -1;

  constructor(length: number) {
    this.first = new Int32Array(length).fill(-1);
    this.next = new Int32Array(length);
  }

  add(caller: number, row: number): void {
    if (caller < 0) {
      this.next[row] = this.firstRoot;
      this.firstRoot = row;
    } else {
      this.next[row] = this.first[caller]!;
      this.first[caller] = row;
    }
  }
}

/** Rows that wait for their path, last in first out: rows of one path lie together, the first one to come out last, as its complement. */
class PendingPaths {
  length = 0;
  #rows = new Int32Array(1 << 10);
  /** Callees of one path, with their names. */
  #gathered = new Int32Array(1 << 8);
  #names = new Int32Array(1 << 8);
  #count = 0;

  pop(): number {
    this.length -= 1;
    return this.#rows[this.length]!;
  }

  gather(row: number, name: number): void {
    if (this.#count === this.#gathered.length) {
      this.#gathered = doubled(this.#gathered);
      this.#names = doubled(this.#names);
    }
    this.#gathered[this.#count] = row;
    this.#names[this.#count] = name;
    this.#count += 1;
  }

  /** What was gathered waits from now on; the smallest name comes out first. */
  push(): void {
    const count = this.#count;
    this.#count = 0;
    if (count === 0) return;
    if (count > 1) this.#order(count);
    while (this.length + count > this.#rows.length) this.#rows = doubled(this.#rows);
    const names = this.#names;
    for (let index = count - 1; index >= 0; index--) {
      const row = this.#gathered[index]!;
      const isFirstOfName = index === count - 1 || names[index + 1] !== names[index];
      this.#rows[this.length++] = isFirstOfName ? ~row : row;
    }
  }

  /** By name; rows of one name stay in their order. */
  #order(count: number): void {
    if (count > FEW_SIBLINGS) return this.#orderMany(count);
    const rows = this.#gathered;
    const names = this.#names;
    for (let index = 1; index < count; index++) {
      const name = names[index]!;
      const row = rows[index]!;
      let place = index;
      for (; place > 0 && names[place - 1]! > name; place--) {
        names[place] = names[place - 1]!;
        rows[place] = rows[place - 1]!;
      }
      names[place] = name;
      rows[place] = row;
    }
  }

  #orderMany(count: number): void {
    const keys = Float64Array.from(
      { length: count },
      (_, index) => this.#names[index]! * ROWS + this.#gathered[index]!,
    );
    keys.sort();
    for (const [index, key] of keys.entries()) {
      this.#gathered[index] = key % ROWS;
      this.#names[index] = Math.floor(key / ROWS);
    }
  }
}
