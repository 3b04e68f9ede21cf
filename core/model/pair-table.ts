import { int32Column, type Column } from './column.ts';

/**
 * Interns pairs of 32-bit integers to dense rows: open addressing over row numbers, the pairs themselves in two columns. Rehashing
 * rebuilds from the columns, so the old table is free before the new one is filled.
 */
export class PairTable {
  readonly first: Column<Int32Array> = int32Column();
  readonly second: Column<Int32Array> = int32Column();
  /** row + 1; 0 is empty. */
  #slots = new Int32Array(1024);
  #mask = 1023;

  get length(): number {
    return this.first.length;
  }

  intern(a: number, b: number): number {
    let slot = hashPair(a, b) & this.#mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      if (this.first.get(row) === a && this.second.get(row) === b) return row;
      slot = (slot + 1) & this.#mask;
    }
    const row = this.first.length;
    this.first.push(a);
    this.second.push(b);
    this.#slots[slot] = row + 1;
    if (row * 4 > this.#mask * 3) this.#grow();
    return row;
  }

  #grow(): void {
    const size = (this.#mask + 1) * 2;
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
    for (let row = 0; row < this.first.length; row++) {
      let slot = hashPair(this.first.get(row), this.second.get(row)) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = row + 1;
    }
  }
}

function hashPair(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
