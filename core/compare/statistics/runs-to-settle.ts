import type { FamilyJudgement } from './judge-family.ts';
import { LEAST_REPLICATES, type ComparisonDesign } from '../measure/measures.ts';
import { studentQuantile } from './student.ts';

/** Power of the runs that are named. */
const POWER = 0.8;
/** Nobody records more runs a side. */
const MOST_RUNS = 100;

/**
 * Runs a side, in all, that leave a contrast of the size that was seen undecided in one case of five at most: the least n with
 * |contrast| ≥ σ ÷ √n × (t(level, 2n − 2) + t(0.8, 2n − 2)), σ from the interval of the runs so far. More than these, and at least
 * {@link LEAST_REPLICATES}. Null: there is no interval, or more than 100.
 */
export function runsToSettle(
  { before, after, isPaired }: Pick<ComparisonDesign, 'before' | 'after' | 'isPaired'>,
  { contrast, interval, level }: Pick<FamilyJudgement, 'contrast' | 'interval' | 'level'>,
): number | null {
  if (interval === null || level === null || contrast === 0) return null;
  const have = isPaired ? before.groups.length : Math.min(before.groups.flat().length, after.groups.flat().length);
  const deviation = ((interval[1] - interval[0]) / 2 / studentQuantile(1 - level, Infinity)) * Math.sqrt(have);
  const suffices = (runs: number): boolean => {
    const freedom = 2 * runs - 2;
    const reach = studentQuantile(1 - level, freedom) + studentQuantile(2 * (1 - POWER), freedom);
    return Math.abs(contrast) >= (deviation / Math.sqrt(runs)) * reach;
  };
  for (let runs = Math.max(LEAST_REPLICATES, have + 1); runs <= MOST_RUNS; runs++) if (suffices(runs)) return runs;
  return null;
}
