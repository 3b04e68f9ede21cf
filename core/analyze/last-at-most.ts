/** The last of `length` places whose value is at most `value`, of values that never fall; the first one where all are higher. */
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
