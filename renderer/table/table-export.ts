import type { ExportColumn } from '#core/export/csv-text.ts';

export { csvText, type ExportColumn } from '#core/export/csv-text.ts';

/** For the clipboard: spreadsheets take it apart at tabs. Line breaks and tabs within names become blanks. */
export function tsvText(columns: readonly ExportColumn[], rows: Iterable<number>): string {
  const lines = [columns.map(({ header }) => header).join('\t')];
  for (const row of rows)
    lines.push(columns.map(({ cell }) => String(cell(row)).replace(/[\t\r\n]+/g, ' ')).join('\t'));
  return `${lines.join('\n')}\n`;
}

/** A share in percent, short enough to read and exact enough to sort. */
export function percentOf(part: number, whole: number): number | string {
  return whole === 0 ? '' : Number(((100 * part) / whole).toPrecision(8));
}
