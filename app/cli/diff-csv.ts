import type { Comparison } from '#core/compare/compare-functions.ts';
import type { Metric } from '#core/compare/describe-change.ts';
import type { Judgement } from '#core/compare/judge.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import type { DiffRow } from './diff-report.ts';

/** A row for each function; lines that begin with `# ` say what the numbers are of. */
export function diffAsCsv({ normalised }: Comparison, rows: readonly DiffRow[], notes: readonly string[]): string {
  const columns: ExportColumn<DiffRow>[] = [
    { header: 'Function', cell: ({ name }) => name },
    { header: 'Module', cell: ({ module }) => module },
    { header: 'File:line', cell: ({ file, line }) => (line > 0 ? `${file}:${line}` : file) },
    { header: 'Presence', cell: ({ presence }) => presence },
    ...metricColumns('self', normalised.unit),
    ...metricColumns('total', normalised.unit),
  ];
  return csvText(notes, columns, rows);
}

function metricColumns(metric: Metric, unit: string): ExportColumn<DiffRow>[] {
  const column = (header: string, read: (judgement: Judgement) => number | string | null): ExportColumn<DiffRow> => ({
    header: `${metric} ${header}`,
    cell: (row) => read(row[metric]) ?? '',
  });
  const percent = (part: number | null): number | null => (part === null ? null : Number((100 * part).toPrecision(8)));
  return [
    column(`before (${unit})`, ({ before }) => before),
    column(`after (${unit})`, ({ after }) => after),
    column(`delta (${unit})`, ({ delta }) => delta),
    column('delta %', ({ relative }) => percent(relative)),
    column(`low (${unit})`, ({ interval }) => interval?.[0] ?? null),
    column(`high (${unit})`, ({ interval }) => interval?.[1] ?? null),
    column('level %', ({ level }) => percent(level)),
    column('p', ({ p }) => p),
    column('q', ({ q }) => q),
    column('verdict', ({ verdict }) => verdict),
    column('method', ({ method }) => method),
  ];
}
