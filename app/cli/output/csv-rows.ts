import { Option } from 'commander';
import { csvText } from '#core/export/csv-text.ts';
import { printTable } from './terminal.ts';

/** `--csv`, next to a command's `--json`. */
export const csvOption = (): Option => new Option('--csv', 'print comma-separated values').conflicts('json');

type Value = string | number | null;

/** Prints rows as CSV; null is an empty cell. */
export function printCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Value>>[],
  notes: readonly string[] = [],
): void {
  const cells = columns.map((header) => ({
    header,
    cell: (row: Readonly<Record<Column, Value>>) => row[header] ?? '',
  }));
  printTable(csvText(notes, cells, rows));
}
