import { LEAST_REPLICATES } from '../compare/measure/measures.ts';

/** Variance of the mean over runs, and its degrees of freedom; null with too few runs to tell. */
export function varianceOfMean(
  values: readonly number[],
): { readonly ofMean: number; readonly freedom: number } | null {
  if (values.length < LEAST_REPLICATES) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const freedom = values.length - 1;
  return { ofMean: squares / freedom / values.length, freedom };
}
