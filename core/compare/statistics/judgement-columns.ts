import type { ExportColumn } from '../../export/csv-text.ts';
import type { Metric } from '../describe-change.ts';
import type { Judgement } from './judge.ts';

/** A part of a judgement as other programs read it; several are one column of a table: both ends of an interval. */
export interface JudgementColumn<Row> extends ExportColumn<Row> {
  readonly id: 'before' | 'after' | 'delta' | 'relative' | 'interval' | 'p' | 'q' | 'verdict' | 'method';
}

/** All of what is said of one weight, numbers in full; empty where nobody knows. */
export function judgementColumns<Row>(
  metric: Metric,
  unit: string,
  read: (row: Row) => Judgement,
): JudgementColumn<Row>[] {
  const column = (
    id: JudgementColumn<Row>['id'],
    header: string,
    part: (judgement: Judgement) => number | string | null,
  ): JudgementColumn<Row> => ({ id, header: `${metric} ${header}`, cell: (row) => part(read(row)) ?? '' });
  const percent = (part: number | null): number | null => (part === null ? null : Number((100 * part).toPrecision(8)));
  return [
    column('before', `before (${unit})`, ({ before }) => before),
    column('after', `after (${unit})`, ({ after }) => after),
    column('delta', `delta (${unit})`, ({ delta }) => delta),
    column('relative', 'delta %', ({ relative }) => percent(relative)),
    column('interval', `low (${unit})`, ({ interval }) => interval?.[0] ?? null),
    column('interval', `high (${unit})`, ({ interval }) => interval?.[1] ?? null),
    column('interval', 'level %', ({ level }) => percent(level)),
    column('p', 'p', ({ p }) => p),
    column('q', 'q', ({ q }) => q),
    column('verdict', 'verdict', ({ verdict }) => verdict),
    column('verdict', 'withheld', ({ withheld }) => withheld ?? null),
    column('method', 'method', ({ method }) => method),
  ];
}
