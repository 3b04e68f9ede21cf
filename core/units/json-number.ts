/** Returns a number, or a string for an integer that JSON readers, which use doubles, might round. */
export const jsonNumber = (value: number): number | string =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : value;
