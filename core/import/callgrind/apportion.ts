/** The golden ratio's fraction: its multiples modulo 1 are evenly distributed, however many there are. */
const STEP = (Math.sqrt(5) - 1) / 2;

/** Divides integers in proportion, without a remainder. */
export class Apportioner {
  #offset = 0;

  /**
   * Divides `whole` (an integer) by `shares` (integers with the sum `sum` ≥ `whole`), at `first`, `first + stride`, …
   * of both arrays. No part is larger than its share; parts sum up to `whole` and are within 1 of the exact proportion.
   * The choice of the parts that are rounded up varies between calls, so that small wholes do not all go to the same
   * share (systematic sampling).
   */
  divide(whole: number, shares: Float64Array, sum: number, parts: Float64Array, first = 0, stride = 1): void {
    this.#offset = (this.#offset + STEP) % 1;
    let cumulative = 0;
    let given = 0;
    for (let at = first; at < shares.length; at += stride) {
      cumulative += shares[at]!;
      const upTo = whole >= sum ? cumulative : Math.floor(whole * (cumulative / sum) + this.#offset);
      parts[at] = Math.max(0, Math.min(shares[at]!, Math.min(upTo, whole) - given));
      given += parts[at]!;
    }
    // Distributes the remainder left by rounding of floating point numbers beyond 2^53.
    for (let at = first; at < shares.length && given < whole; at += stride) {
      const more = Math.min(shares[at]! - parts[at]!, whole - given);
      parts[at]! += more;
      given += more;
    }
  }
}

/**
 * A priority queue that returns the item with the largest key first: a binary heap. Equal keys have no defined order.
 */
export class LargestFirst<T> {
  readonly #keys: number[] = [];
  readonly #items: T[] = [];

  add(key: number, item: T): void {
    let at = this.#keys.push(key) - 1;
    this.#items.push(item);
    for (let above = (at - 1) >> 1; at > 0 && this.#keys[above]! < key; above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  /** Returns undefined if it is empty. */
  take(): T | undefined {
    this.#swap(0, this.#keys.length - 1);
    this.#keys.pop();
    const taken = this.#items.pop();
    const { length } = this.#keys;
    for (let at = 0; ;) {
      let largest = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < length && this.#keys[below]! > this.#keys[largest]!) largest = below;
      }
      if (largest === at) return taken;
      this.#swap(at, largest);
      at = largest;
    }
  }

  #swap(one: number, other: number): void {
    if (other < 0 || one === other) return;
    const [keys, items] = [this.#keys, this.#items];
    [keys[one], keys[other]] = [keys[other]!, keys[one]!];
    [items[one], items[other]] = [items[other]!, items[one]!];
  }
}
