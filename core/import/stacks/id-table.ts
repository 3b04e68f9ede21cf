import { int32Column } from '../../model/intern/column.ts';

/** Smaller ids go into an array, which a hostile file can grow to at most 16 MiB. */
const DENSE_IDS = 2 ** 22;

/** Maps 64-bit ids, given as unsigned halves, to rows. Never combines an id into a single JavaScript number. */
export class IdTable {
  readonly #dense = int32Column();
  readonly #sparse = new Map<number | bigint, number>();

  /** Returns false if the id is taken. */
  add(low: number, high: number, row: number): boolean {
    if (this.row(low, high) >= 0) return false;
    if (high === 0 && low < DENSE_IDS) {
      while (this.#dense.length <= low) this.#dense.push(-1);
      this.#dense.set(low, row);
    } else {
      this.#sparse.set(keyOf(low, high), row);
    }
    return true;
  }

  /** Returns −1 if there is none. */
  row(low: number, high: number): number {
    if (high === 0 && low < DENSE_IDS) return low < this.#dense.length ? this.#dense.get(low) : -1;
    return this.#sparse.get(keyOf(low, high)) ?? -1;
  }
}

function keyOf(low: number, high: number): number | bigint {
  return high === 0 ? low : (BigInt(high) << 32n) | BigInt(low);
}
