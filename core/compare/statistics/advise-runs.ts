import type { ComparisonDesign, SideEstimate } from '../measure/measures.ts';
import { LEAST_REPLICATES } from '../measure/measures.ts';
import { studentQuantile } from './student.ts';

/** The change that advice is about, its power, and the level of the test. */
export const ADVISED = { change: 0.01, power: 0.8, level: 0.05 } as const;

/** Beyond it, "more runs" is no advice any more. */
const MOST_RUNS = 10_000;

/** What would show a change of {@link ADVISED}.change of a row. */
export interface Advice {
  /** Runs a side in all; null: more than 10,000. */
  readonly runs: number | null;
  /** Runs a side beyond those of the side that has fewer; null as `runs`. */
  readonly moreRuns: number | null;
  /** Length of a run, as the captures so far; null where not known. */
  readonly seconds: number | null;
  /** Variance of a capture's value from sampling, and from what differs between runs; the latter null without replicates. */
  readonly within: number | null;
  readonly between: number | null;
  /** Over half of the variance lies between runs: more runs help, longer ones don't. */
  readonly moreRunsNotLonger: boolean;
}

/**
 * Runs a side for 80 % power at 5 % for a 1 % change of the row's value, runs being as long as those so far: the least n ≥ 3 with
 * n ≥ 2 σ² (t(0.975, 2n − 2) + t(0.8, 2n − 2))² ÷ (1 % of before)². Null where the row has no value before, or nothing tells how it varies.
 */
export function adviseRuns(
  design: ComparisonDesign,
  before: SideEstimate,
  after: SideEstimate,
  seconds: number | null,
): Advice | null {
  const goal = Math.abs(before.mean) * ADVISED.change;
  const within = mean([before.within, after.within]);
  const seen = mean([before.between, after.between]);
  const variance = Math.max(within ?? 0, seen ?? 0);
  if (goal === 0 || variance === 0) return null;
  const between = seen === null ? null : Math.max(0, seen - (within ?? 0));
  const runs = runsFor(variance / goal ** 2);
  const have = Math.min(design.before.groups.flat().length, design.after.groups.flat().length);
  return {
    runs,
    moreRuns: runs === null ? null : Math.max(0, runs - have),
    seconds,
    within,
    between,
    moreRunsNotLonger: between !== null && between > variance / 2,
  };
}

/** Of what is known. */
function mean(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** `ratio`: variance of one run ÷ square of the change. The need falls as runs grow, so the least is found by halving. */
function runsFor(ratio: number): number | null {
  const suffices = (runs: number): boolean => {
    const freedom = 2 * runs - 2;
    const reach = studentQuantile(ADVISED.level, freedom) + studentQuantile(2 * (1 - ADVISED.power), freedom);
    return runs >= 2 * ratio * reach ** 2;
  };
  if (!suffices(MOST_RUNS)) return null;
  let [low, high] = [LEAST_REPLICATES, MOST_RUNS];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (suffices(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
