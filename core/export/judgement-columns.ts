import type { Judgement, Metric } from '../compare/statistics/judge.ts';
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
  type Part = readonly [header: string, of: (judgement: Judgement) => number | string | null];
  const percent = (part: number | null): number | null => (part === null ? null : Number((100 * part).toPrecision(8)));
  const parts: Readonly<Record<JudgementColumnId, readonly Part[]>> = {
    before: [[`before (${unit})`, ({ before }) => before]],
    after: [[`after (${unit})`, ({ after }) => after]],
    delta: [[`delta (${unit})`, ({ delta }) => delta]],
    relative: [['delta %', ({ relative }) => percent(relative)]],
    interval: [
      [`low (${unit})`, ({ interval }) => interval?.[0] ?? null],
      [`high (${unit})`, ({ interval }) => interval?.[1] ?? null],
      ['level %', ({ level }) => percent(level)],
    ],
    p: [['p', ({ p }) => p]],
    q: [['q', ({ q }) => q]],
    verdict: [
      ['verdict', ({ verdict }) => verdict],
      ['withheld', ({ withheld }) => withheld ?? null],
    ],
    method: [['method', ({ method }) => method]],
  };
  return (Object.keys(parts) as JudgementColumnId[]).flatMap((id) =>
    parts[id].map(([header, of]) => ({ id, header: `${metric} ${header}`, cell: (row: Row) => of(read(row)) ?? '' })),
  );
}
