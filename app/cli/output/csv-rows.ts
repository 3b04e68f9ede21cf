import { Option } from 'commander';
import { csvText } from '#core/export/csv-text.ts';
import { usageError } from '../errors.ts';
import { printTable } from './terminal.ts';

/** `--csv`, next to a command's `--json`. */
export const csvOption = (): Option => new Option('--csv', 'print comma-separated values').conflicts('json');

/** Throws a usage error if an action was asked for CSV and has no table; `tables` names the actions that have one. */
export function refuseCsv(csv: true | undefined, action: string, tables: string): void {
  if (csv === true) throw usageError(`${action} does not take --csv`, `it is for ${tables}`);
}

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
