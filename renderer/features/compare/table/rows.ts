import type { Metric } from '#core/compare/statistics/judge.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import { PRESENCES, type JudgedRows } from '#core/compare/judged-rows.ts';
import { SHOWN_ROWS, type ShownRows } from '../../../state/compare/compare.types.ts';

const code = (verdict: (typeof VERDICTS)[number]): number => VERDICTS.indexOf(verdict);
const NOT_TESTED = code('not-tested');
const GREW = code('grew');
const SHRANK = code('shrank');
const SUGGESTIVE = code('suggestive');
const ONLY_BEFORE = PRESENCES.indexOf('only-before');
const ONLY_AFTER = PRESENCES.indexOf('only-after');

type RowsByMetric = Readonly<Record<Metric, JudgedRows>>;

/**
 * Returns whether a function is of a kind: by its verdict on the measure, or for new and removed by the stacks that
 * contain it.
 */
function rowTest({ total, ...rows }: RowsByMetric, measure: Metric, show: ShownRows): (row: number) => boolean {
  const { verdict } = measure === 'self' ? rows.self : total;
  switch (show) {
    case 'all':
      return () => true;
    case 'changed':
      return (row) => verdict[row] === GREW || verdict[row] === SHRANK;
    case 'grew':
      return (row) => verdict[row] === GREW;
    case 'shrank':
      return (row) => verdict[row] === SHRANK;
    case 'suggestive':
      return (row) => verdict[row] === SUGGESTIVE;
    case 'new':
      return (row) => total.presence[row] === ONLY_AFTER;
    case 'removed':
      return (row) => total.presence[row] === ONLY_BEFORE;
  }
}

/**
 * Returns 1 for each function that is shown, else 0; null if all are. `matches` are those of the pattern, null without
 * one.
 */
export function shownFlags(
  rows: RowsByMetric,
  measure: Metric,
  show: ShownRows,
  matches: Uint8Array | null,
): Uint8Array | null {
  if (show === 'all') return matches;
  const isShown = rowTest(rows, measure, show);
  return Uint8Array.from({ length: rows.total.length }, (_, row) =>
    isShown(row) && (matches === null || matches[row] === 1) ? 1 : 0,
  );
}

/** Returns the number of functions of each kind. */
export function kindCounts(rows: RowsByMetric, measure: Metric): ReadonlyMap<ShownRows, number> {
  return new Map(
    SHOWN_ROWS.map((show) => {
      const isShown = rowTest(rows, measure, show);
      let count = 0;
      for (let row = 0; row < rows.total.length; row++) if (isShown(row)) count += 1;
      return [show, count];
    }),
  );
}

/** Returns the number of functions of a kind that were not tested: they have too few samples. */
export function untestedCount(rows: RowsByMetric, measure: Metric, show: ShownRows): number {
  const isShown = rowTest(rows, measure, show);
  return rows[measure].verdict.reduce((sum, of, row) => sum + (of === NOT_TESTED && isShown(row) ? 1 : 0), 0);
}

/** Returns one weight per function, in the comparison's order, for components that list functions by weight. */
export function rowStats(length: number, self: Float64Array): FunctionStats {
  return { length, func: Int32Array.from({ length }, (_, func) => func), self, total: self };
}

/** Returns the sum of both sides' weights, by function. */
export const bothSides = ({ before, after }: JudgedRows): Float64Array =>
  before.map((weight, row) => weight + after[row]!);
