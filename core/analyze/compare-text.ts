/** Order of UTF-16 code units, the same in every language; for `sort`. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
