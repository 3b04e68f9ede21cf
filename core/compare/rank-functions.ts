import { compareText } from '../analyze/compare-text.ts';
import { functionRef, type FunctionRef } from '../analyze/function-ref.ts';
import type { Comparison } from './comparison.ts';
import type { Judgement, Presence, Verdict, Metric } from './statistics/judge.ts';

/** A function of a comparison. */
export interface ComparedFunction extends FunctionRef {
  /** → the comparison's functions */
  readonly func: number;
  readonly self: Judgement;
  readonly total: Judgement;
  readonly presence: Presence;
}

/** Certain changes first, then possible ones. */
const ORDER: Readonly<Record<Verdict, number>> = {
  grew: 0,
  shrank: 0,
  suggestive: 1,
  unknown: 2,
  'not-decided': 2,
  noise: 3,
  'not-tested': 4,
};

/** Returns all functions by verdict on the metric, then by the size of its delta (or growth first), then by name. */
export function rankFunctions({ matched, self, total, growthFirst }: Comparison, metric: Metric): ComparedFunction[] {
  const { table } = matched;
  const rows = self.map((_, func): ComparedFunction => {
    const { presence } = total[func]!;
    return { func, ...functionRef(table, func), self: self[func]!, total: total[func]!, presence };
  });
  const size = ({ delta }: Judgement): number => (growthFirst ? delta : Math.abs(delta));
  return rows.sort(
    (a, b) =>
      ORDER[a[metric].verdict] - ORDER[b[metric].verdict] ||
      size(b[metric]) - size(a[metric]) ||
      compareText(a.name, b.name) ||
      compareText(a.module, b.module),
  );
}
