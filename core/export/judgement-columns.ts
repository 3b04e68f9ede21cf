import type { Metric } from '../compare/describe-change.ts';
import type { Judgement } from '../compare/statistics/judge.ts';
import type { ExportColumn } from './csv-text.ts';

/** A column of judgements; it names its parts in an export. */
export type JudgementColumnId =
  | 'before'
  | 'after'
  | 'delta'
  | 'relative'
  | 'interval'
  | 'p'
  | 'q'
  | 'verdict'
  | 'method';

/** A part of a judgement for export. Several parts may form one column of a table, such as both ends of an interval. */
interface JudgementColumn<Row> extends ExportColumn<Row> {
  readonly id: JudgementColumnId;
}

/** Returns all columns of one metric's judgements, with numbers in full precision; unknown values are empty. */
export function judgementColumns<Row>(
  metric: Metric,
  unit: string,
  read: (row: Row) => Judgement,
): JudgementColumn<Row>[] {
  const column = (
    id: JudgementColumnId,
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
