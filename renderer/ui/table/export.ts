import { tsvLine, type ExportColumn } from '#core/export/csv-text.ts';

export { csvText, type ExportColumn } from '#core/export/csv-text.ts';

/** Returns tab-separated text for the clipboard. */
export function tsvText(columns: readonly ExportColumn[], rows: Iterable<number>): string {
  const lines = [tsvLine(columns.map(({ header }) => header))];
  for (const row of rows) lines.push(tsvLine(columns.map(({ cell }) => cell(row))));
  return `${lines.join('\n')}\n`;
}

/** Returns a share in percent with 8 significant digits, enough to sort by. */
export function percentOf(part: number, whole: number): number | string {
  return whole === 0 ? '' : Number(((100 * part) / whole).toPrecision(8));
}
