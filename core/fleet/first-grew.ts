import type { Metric } from '../compare/statistics/judge.ts';

/** Says in which release a function first grew; null: in none that is known. */
export const firstGrewText = (release: string | null, metric: Metric): string =>
  release === null ? `No release is known to have increased ${metric}.` : `First grew in ${release}.`;
