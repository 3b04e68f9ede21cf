import { splitCells } from '../../import/text/csv-cells.ts';
import type { SeriesReading } from './readings.ts';

/** Maximum number of rows that are read. */
const MAX_ROWS = 200_000;
/** Times above this are milliseconds: the year 5138 in seconds, and 1973 in milliseconds. */
const MAX_SECONDS = 1e11;

/**
 * Reads a table with a heading: its first column is the time of a row (seconds or milliseconds since 1970, or ISO 8601),
 * the others are series. Separators are commas, semicolons or tabs. Cells that are not numbers are left out. Returns the
 * number of rows without a time, and null if there is no heading.
 */
export function readSeriesCsv(text: string): { readonly readings: SeriesReading[]; readonly skipped: number } | null {
  const [heading = '', ...rows] = text.replace(/^\ufeff/, '').split(/\r?\n/, MAX_ROWS);
  const separator = [';', '\t', ','].find((one) => heading.includes(one));
  if (separator === undefined) return null;
  // A row with an unclosed quote has no cells, and so no time.
  const cellsOf = (row: string): string[] => splitCells(row, separator)?.map((cell) => cell.trim()) ?? [];
  const names = cellsOf(heading).slice(1);
  const readings: SeriesReading[] = [];
  let skipped = 0;
  for (const row of rows) {
    if (row.trim() === '') continue;
    const [time = '', ...cells] = cellsOf(row);
    const at = timeOf(time);
    if (at === null) skipped += 1;
    else {
      const values = new Map<string, number>();
      for (const [place, name] of names.entries()) {
        const cell = cells[place] ?? '';
        if (name !== '' && cell !== '' && Number.isFinite(Number(cell))) values.set(name, Number(cell));
      }
      readings.push({ at, values });
    }
  }
  return { readings, skipped };
}

/** Returns Unix epoch milliseconds; null if it is not a time. */
function timeOf(word: string): number | null {
  if (/^\d{9,17}(?:\.\d+)?$/.test(word)) return Number(word) < MAX_SECONDS ? Number(word) * 1000 : Number(word);
  const parsed = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(word) ? Date.parse(word) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}
