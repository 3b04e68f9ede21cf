/**
 * Interns (caller row, function) pairs to dense rows in order of first appearance, so that a row's caller always has a smaller index.
 * Open addressing; the capacity is known beforehand, so nothing ever grows.
 */
export class RowTable {
  /** −1: no caller. */
  readonly parent: Int32Array;
  readonly func: Int32Array;
  length = 0;
  /** row + 1; 0 is empty. */
  #slots: Int32Array;
  readonly #mask: number;

  constructor(capacity: number) {
    this.parent = new Int32Array(capacity);
    this.func = new Int32Array(capacity);
    let size = 16;
    while (size * 3 < capacity * 4) size *= 2;
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
  }

  intern(parent: number, func: number): number {
    let slot = hashPair(parent, func) & this.#mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      if (this.parent[row] === parent && this.func[row] === func) return row;
      slot = (slot + 1) & this.#mask;
    }
    this.#slots[slot] = this.length + 1;
    return this.append(parent, func);
  }

  /** Adds a pair that is known to be new and that nobody will intern again. */
  append(parent: number, func: number): number {
    const row = this.length++;
    this.parent[row] = parent;
    this.func[row] = func;
    return row;
  }

  /** The rows; frees what only interning needs. Nothing is added afterwards. */
  finish(): { length: number; parent: Int32Array; func: Int32Array } {
    const { length } = this;
    this.#slots = new Int32Array(0);
    return { length, parent: this.parent.subarray(0, length), func: this.func.subarray(0, length) };
  }
}

function hashPair(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
