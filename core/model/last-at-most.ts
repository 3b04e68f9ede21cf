/**
 * Returns the last of `length` places whose value is at most `value`, or the first place if all values are higher.
 * Values must not decrease.
 */
export function lastAtMost(value: number, length: number, valueAt: (place: number) => number): number {
  let low = 0;
  let high = length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) <= value) low = middle;
    else high = middle;
  }
  return low;
}
