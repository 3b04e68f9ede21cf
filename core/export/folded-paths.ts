import { doubled } from '../model/intern/byte-table.ts';
import type { StackTable } from '../model/profile.ts';

/** Stacks as they appear in folded text, in pre-order: a path's callees follow it, siblings are ordered by name. */
export interface FoldedPaths {
  /** → paths, smaller than the path's own index; −1 at the root. */
  readonly parent: Int32Array;
  /** The path's last name, as its rank. */
  readonly name: Int32Array;
  /** Path of each row of the stack table. */
  readonly ofStack: Int32Array;
}

/** Up to this many siblings use insertion sort, which is fastest for a few. */
const FEW_SIBLINGS = 24;
/** Keys are exact for row numbers below 2^31: they stay below 2^53 for four million names. */
const ROWS = 2 ** 31;

/**
 * Merges stacks that are equal by names into one path, because folded text has no addresses, lines and modules. One
 * walk over the stack table merges and orders them. A capture may have millions of stacks, so finished columns are
 * overwritten: the walk takes 12 bytes per row in addition to the table.
 */
export function foldedPaths(stacks: StackTable, nameOfFrame: Int32Array): FoldedPaths {
  const { length, parent, frame } = stacks;
  const siblings = new SiblingLists(length);
  // Backwards, so that each list is in the order of the rows.
  for (let row = length - 1; row >= 0; row--) siblings.add(parent[row]!, row);

  const firstRows = new Int32Array(length);
  // A row's list of callees is read once, when its path begins; its slot then holds the path.
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
      // Most stacks have one callee, which needs no sorting.
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
  /** First callee by row; −1: none. */
  readonly first: Int32Array;
  /** Next callee of the same caller by row; −1: none. */
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

/**
 * A stack of rows that wait for their path: rows of one path are adjacent, and the first one to be popped last is
 * stored as its complement.
 */
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

  /** Pushes the gathered callees; the one with the smallest name is popped first. */
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

  /** Sorts by name; rows of the same name keep their order. */
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
