import type { ComparisonDesign } from '../measure/measures.ts';
import type { Spread } from './test-row.ts';
import { studentQuantile } from './student.ts';

/** Probability of finding a change with the runs that are named. */
export const POWER = 0.8;
/** Runs a side beyond which no number is named: 100 of 30 s a side, in turn, keep a machine busy for 100 minutes, in which it drifts. */
export const MOST_RUNS = 100;

/** What the runs so far tell of a contrast. */
export interface RunEvidence extends Spread {
  /** Of the function's tier of its family: what an interval has to leave 0 out at. */
  readonly level: number;
}

/**
 * Returns the runs a side, in all, that find a contrast of this size in 80 % of cases: the least n with
 * size ≥ σ ÷ √n × (t(level) + t(0.8)), where σ ÷ √n is what the deviation of the runs so far becomes with n a side. Degrees of freedom grow by
 * two a run (one where hosts are compared); where nothing is repeated yet they are 2n − 2. At least `least`; null beyond {@link MOST_RUNS}.
 */
export function runsNeeded(
  design: ComparisonDesign,
  evidence: RunEvidence,
  size: number,
  least: number,
): number | null {
  const scale = evidence.deviation / Math.sqrt(perRun(design));
  const suffices = (runs: number): boolean =>
    size >= (scale / Math.sqrt(runs)) * reach(evidence.level, freedomAt(design, evidence, runs));
  if (least > MOST_RUNS || !suffices(MOST_RUNS)) return null;
  let [low, high] = [least, MOST_RUNS];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (suffices(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the size of the smallest contrast that the runs so far find in 80 % of cases. */
export const smallestFound = (design: ComparisonDesign, evidence: RunEvidence): number =>
  evidence.deviation * reach(evidence.level, freedomAt(design, evidence, runsSoFar(design)));

/** Returns the runs of the side that has fewer; where hosts are compared, the hosts. */
export const runsSoFar = ({ before, after, isPaired }: ComparisonDesign): number =>
  isPaired ? before.groups.length : Math.min(before.groups.flat().length, after.groups.flat().length);

const reach = (level: number, freedom: number): number =>
  studentQuantile(1 - level, freedom) + studentQuantile(2 * (1 - POWER), freedom);

/** Variance of the contrast of the runs so far, as a part of that of one run a side, if both sides vary alike. */
const perRun = ({ before, after, isPaired }: ComparisonDesign): number =>
  isPaired ? 1 / before.groups.length : (before.meanFactor + after.meanFactor) / 2;

function freedomAt(design: ComparisonDesign, { freedom }: Spread, runs: number): number {
  if (!design.isReplicated) return Math.max(1, 2 * runs - 2);
  return Math.max(1, freedom + (design.isPaired ? 1 : 2) * (runs - runsSoFar(design)));
}
