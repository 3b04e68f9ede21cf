import { useMemo } from 'react';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import { useAnswer } from '../use-answer.ts';

/**
 * Returns counts in samples, in the order of `stats`; null until known. While a profile grows (see `useAnswer`), the
 * earlier counts stay, and functions without one are NaN.
 */
export function useCounts(
  stats: FunctionStats,
  ask: (() => Promise<FunctionStats>) | null,
  lineage: object | null,
): FunctionStats | null {
  const known = useAnswer(ask, lineage);
  return useMemo(() => (known === null || known.func === stats.func ? known : inOrderOf(stats, known)), [known, stats]);
}

function inOrderOf({ length, func }: FunctionStats, known: FunctionStats): FunctionStats {
  const rows = new Map(Array.from(known.func, (one, row) => [one, row]));
  const inOrder = (values: Float64Array): Float64Array =>
    Float64Array.from(func, (one) => values[rows.get(one) ?? -1] ?? Number.NaN);
  return { length, func, self: inOrder(known.self), total: inOrder(known.total) };
}
