import { LEAST_REPLICATES, type ComparisonDesign } from '../measure/measures.ts';
import type { Spread } from './test-row.ts';
import { studentQuantile } from './student.ts';

/** Probability of detecting a change with the recommended number of runs. */
export const POWER = 0.8;
/**
 * Maximum number of runs per side that is recommended: 100 alternating runs of 30 s a side keep a machine busy for 100
 * minutes, during which it drifts.
 */
export const MOST_RUNS = 100;

/** What the runs so far reveal about a contrast. */
export interface RunEvidence extends Spread {
  /** Level of the function's tier in its family, at which an interval must exclude 0. */
  readonly level: number;
}

/**
 * Returns the total number of runs per side that detect a contrast of this size in 80 % of cases: the smallest n with
 * size ≥ σ ÷ √n × (t(level) + t(0.8)), where σ ÷ √n is the deviation of the runs so far, extrapolated to n per side.
 * Degrees of freedom grow by two per run (by one if hosts are compared); without any replicates they are 2n − 2. At
 * least `least`; null beyond {@link MOST_RUNS}.
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

/**
 * Returns the total number of runs per side, more than so far, that would show whether a contrast is above or below 0;
 * null if no number can be given.
 */
export const runsToDecide = (
  design: ComparisonDesign,
  { contrast, evidence }: { readonly contrast: number; readonly evidence: RunEvidence | null },
): number | null =>
  evidence === null || contrast === 0
    ? null
    : runsNeeded(design, evidence, Math.abs(contrast), Math.max(LEAST_REPLICATES, runsSoFar(design) + 1));

/** Returns the size of the smallest contrast that the runs so far, replicates, detect in 80 % of cases. */
export const smallestFound = (design: ComparisonDesign, evidence: RunEvidence): number =>
  evidence.deviation * reach(evidence.level, freedomAt(design, evidence, runsSoFar(design)));

/** Returns the number of runs of the side with fewer runs; if hosts are compared, the number of hosts. */
export const runsSoFar = ({ before, after, isPaired }: ComparisonDesign): number =>
  isPaired ? before.groups.length : Math.min(before.groups.flat().length, after.groups.flat().length);

const reach = (level: number, freedom: number): number =>
  studentQuantile(1 - level, freedom) + studentQuantile(2 * (1 - POWER), freedom);

/**
 * Returns the variance of the current runs' contrast relative to that of one run per side, assuming that both sides
 * vary alike.
 */
const perRun = ({ before, after, isPaired }: ComparisonDesign): number =>
  isPaired ? 1 / before.groups.length : (before.meanFactor + after.meanFactor) / 2;

function freedomAt(design: ComparisonDesign, { freedom }: Spread, runs: number): number {
  if (!design.isReplicated) return Math.max(1, 2 * runs - 2);
  return Math.max(1, freedom + (design.isPaired ? 1 : 2) * (runs - runsSoFar(design)));
}
