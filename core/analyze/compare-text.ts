/** Compares by UTF-16 code units, so the order does not depend on the locale. For `sort`. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
