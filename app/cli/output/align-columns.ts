/** Aligns columns to the right, the first `left` to the left; returns a line of titles, then one line per row. */
export const alignColumns = (titles: readonly string[], cells: readonly (readonly string[])[], left = 0): string[] =>
  align(titles, cells, (cell, width, column) => (column < left ? cell.padEnd(width) : cell.padStart(width)));

/** Aligns columns to the left, without trailing spaces. */
export const alignLeft = (titles: readonly string[], cells: readonly (readonly string[])[]): string[] =>
  align(titles, cells, (cell, width) => cell.padEnd(width)).map((line) => line.trimEnd());

function align(
  titles: readonly string[],
  cells: readonly (readonly string[])[],
  pad: (cell: string, width: number, column: number) => string,
): string[] {
  const widths = titles.map((text, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]!.length), text.length),
  );
  return [titles, ...cells].map((row) => row.map((cell, column) => pad(cell, widths[column]!, column)).join('  '));
}
