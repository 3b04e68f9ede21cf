/** The golden ratio's fraction: its multiples modulo 1 spread evenly however many there are. */
const STEP = (Math.sqrt(5) - 1) / 2;

/** Divides whole numbers in proportion, without a remainder. */
export class Apportioner {
  #offset = 0;

  /**
   * Divides `whole` (an integer) by `shares` (integers, of the sum `sum` ≥ `whole`), at `first`, `first + stride`, … of both arrays. No part
   * is larger than its share; parts sum up to `whole` and lie within 1 of the exact proportion. What is rounded up changes from call to call,
   * so that small wholes don't all go to the same share (systematic sampling).
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
    // What rounding of floating point numbers beyond 2^53 left over.
    for (let at = first; at < shares.length && given < whole; at += stride) {
      const more = Math.min(shares[at]! - parts[at]!, whole - given);
      parts[at]! += more;
      given += more;
    }
  }
}
