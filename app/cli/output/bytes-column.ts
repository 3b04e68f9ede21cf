import { createColumnFormat } from '#core/units/column-format.ts';

/** Formats sizes in bytes as a column in one unit, that of the largest. */
export function bytesColumn(sizes: readonly number[]): string[] {
  const format = createColumnFormat(
    'en',
    'bytes',
    sizes.reduce((largest, size) => Math.max(largest, size), 0),
  );
  return sizes.map((size) => format(size));
}
