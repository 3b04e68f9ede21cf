import { LEAST_REPLICATES } from '../compare/measure/measures.ts';
import { studentQuantile } from '../compare/statistics/student.ts';
import type { Variance } from '../compare/statistics/test-row.ts';

/** Variance of the mean over runs, and its degrees of freedom; null with too few runs to tell. */
export function varianceOfMean(values: readonly number[]): Variance | null {
  if (values.length < LEAST_REPLICATES) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const freedom = values.length - 1;
  return { ofMean: squares / freedom / values.length, freedom };
}

/** Returns half of the 95 % interval of the mean over runs, by Student's t; null with too few runs to tell. */
export function reachOfMean(values: readonly number[]): number | null {
  const variance = varianceOfMean(values);
  return variance && studentQuantile(0.05, variance.freedom) * Math.sqrt(variance.ofMean);
}
