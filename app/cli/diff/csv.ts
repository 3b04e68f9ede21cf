import type { Comparison } from '#core/compare/comparison.ts';
import { judgementColumns } from '#core/compare/statistics/judgement-columns.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import type { DiffRow } from './report.ts';

/** A row for each function; lines that begin with `# ` say what the numbers are of. */
export function diffAsCsv({ normalised }: Comparison, rows: readonly DiffRow[], notes: readonly string[]): string {
  const columns: ExportColumn<DiffRow>[] = [
    { header: 'Function', cell: ({ name }) => name },
    { header: 'Module', cell: ({ module }) => module },
    { header: 'File:line', cell: ({ file, line }) => (line > 0 ? `${file}:${line}` : file) },
    { header: 'Presence', cell: ({ presence }) => presence },
    ...judgementColumns('self', normalised.unit, ({ self }: DiffRow) => self),
    ...judgementColumns('total', normalised.unit, ({ total }: DiffRow) => total),
  ];
  return csvText(notes, columns, rows);
}
