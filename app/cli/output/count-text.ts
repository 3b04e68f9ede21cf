/** Returns `1 sample`, `1,240 samples`. */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
