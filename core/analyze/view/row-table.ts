import { hashPair } from '../../model/intern/pair-table.ts';

/** Up to this many callees of a row are searched linearly; nearly all rows have fewer. */
const LISTED = 8;

/**
 * Interns (caller row, function) pairs to dense rows in order of first appearance, so that a row's caller always has a
 * smaller index. The capacity is fixed. A caller's first callees form a list, so that the rows of a new stack are
 * recognised as new without reading any other memory. Further callees are hashed (open addressing).
 */
export class RowTable {
  /** −1: no caller. */
  readonly parent: Int32Array;
  readonly func: Int32Array;
  length = 0;
  /** Row + 1 of the latest listed callee, by caller + 1; 0 if there is none. */
  #first: Int32Array;
  /** Row + 1 of the callee listed before, by row. */
  #next: Int32Array;
  /** Row + 1; 0 is empty. */
  #slots = new Int32Array(16);
  #hashed = 0;

  constructor(capacity: number) {
    this.parent = new Int32Array(capacity);
    this.func = new Int32Array(capacity);
    this.#first = new Int32Array(capacity + 1);
    this.#next = new Int32Array(capacity);
  }

  intern(parent: number, func: number): number {
    const next = this.#next;
    const known = this.func;
    const newest = this.#first[parent + 1]!;
    let count = 0;
    for (let place = newest; place !== 0; place = next[place - 1]!) {
      if (known[place - 1] === func) return place - 1;
      count += 1;
    }
    if (count >= LISTED) return this.#internHashed(parent, func);
    const row = this.append(parent, func);
    next[row] = newest;
    this.#first[parent + 1] = row + 1;
    return row;
  }

  /** Adds a pair that must be new and must not be interned later. */
  append(parent: number, func: number): number {
    const row = this.length++;
    this.parent[row] = parent;
    this.func[row] = func;
    return row;
  }

  /** Returns the rows and frees the memory needed for interning. Nothing may be added afterwards. */
  finish(): { length: number; parent: Int32Array; func: Int32Array } {
    const { length } = this;
    this.#first = new Int32Array(0);
    this.#next = new Int32Array(0);
    this.#slots = new Int32Array(0);
    return { length, parent: this.parent.subarray(0, length), func: this.func.subarray(0, length) };
  }

  #internHashed(parent: number, func: number): number {
    if (this.#hashed * 4 >= this.#slots.length * 3) this.#grow();
    const slot = this.#slotOf(parent, func);
    if (this.#slots[slot] !== 0) return this.#slots[slot]! - 1;
    const row = this.append(parent, func);
    this.#slots[slot] = row + 1;
    this.#hashed += 1;
    return row;
  }

  /** Returns the slot of a pair, or the slot where it would go. */
  #slotOf(parent: number, func: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashPair(parent, func) & mask;
    for (;;) {
      const row = slots[slot]! - 1;
      if (row < 0 || (this.parent[row] === parent && this.func[row] === func)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    for (const place of before) {
      if (place !== 0) this.#slots[this.#slotOf(this.parent[place - 1]!, this.func[place - 1]!)] = place;
    }
  }
}
