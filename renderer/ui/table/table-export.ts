import { tsvLine, type ExportColumn } from '#core/export/csv-text.ts';

export { csvText, type ExportColumn } from '#core/export/csv-text.ts';

/** For the clipboard. */
export function tsvText(columns: readonly ExportColumn[], rows: Iterable<number>): string {
  const lines = [tsvLine(columns.map(({ header }) => header))];
  for (const row of rows) lines.push(tsvLine(columns.map(({ cell }) => cell(row))));
  return `${lines.join('\n')}\n`;
}

/** A share in percent, short enough to read and exact enough to sort. */
export function percentOf(part: number, whole: number): number | string {
  return whole === 0 ? '' : Number(((100 * part) / whole).toPrecision(8));
}
