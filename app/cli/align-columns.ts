/** Columns to the right, under their titles: a line of titles, then one for each row. */
export function alignColumns(titles: readonly string[], cells: readonly (readonly string[])[]): string[] {
  const widths = titles.map((text, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]!.length), text.length),
  );
  return [titles, ...cells].map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join('  '));
}
