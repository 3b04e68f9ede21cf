import type { ComparisonDesign, RowEstimate, SideDesign, SideEstimate } from '../measure/measures.ts';
import { digamma, trigamma, trigammaInverse } from './polygamma.ts';

/**
 * What all rows together tell of the variance of one between replicates: it is its sampling variance + `relative` × the square of its
 * value, as certain as if it had been seen with `freedom` degrees of freedom.
 */
export interface VariancePrior {
  readonly relative: number;
  readonly freedom: number;
  /** Rows vary as one, see {@link varyTogether}. */
  readonly isCommon: boolean;
}

/** Each row by itself. */
export const NO_PRIOR: VariancePrior = { relative: 0, freedom: 0, isCommon: false };

/**
 * Samples per capture from which a row tells of others: the logarithm of a variance of rarer counts is not what theory says, and as their
 * sampling variances are the least of several estimates, many of them would make rows seem to vary beyond sampling.
 */
const LEAST_SAMPLES = 30;
/** Sides of rows from which there is anything to learn. */
const LEAST_SIDES = 10;
/** A row that varies more than so many times what the others let expect is judged by itself. */
const OUTLIER = 3;
/**
 * Degrees of freedom of the prior that are believed at most: rows hang together, so they know less than as many independent ones would, and
 * the fewer replicates, the less can be known of how far rows are alike. `freedom`: of the replicates; five of them have four.
 */
function mostBelieved(freedom: number, isCommon: boolean): number {
  const most = freedom >= 4 ? 12 : 6;
  return isCommon ? Math.min(most, freedom * (freedom - 1)) : most;
}
/** Of a bisection; its range is halved each time. */
const ROUNDS = 50;

/** A side of a row that tells of others. */
interface Witness {
  readonly between: number;
  readonly within: number;
  /** Of its value. */
  readonly square: number;
  /** Expectation and variance of log(between ÷ its expectation), if rows differ in nothing but value. */
  readonly bias: number;
  readonly spread: number;
}

/**
 * Empirical Bayes after Smyth (2004, "limma"), with a mean-variance relation: `relative` is what makes the mean of
 * log(variance ÷ expected variance) that of χ² ÷ its degrees of freedom; by what the logarithms scatter beyond that, rows differ.
 */
export function estimatePrior(design: ComparisonDesign, rows: readonly RowEstimate[], isCommon = false): VariancePrior {
  if (!design.isReplicated || design.isPaired) return NO_PRIOR;
  const witnesses = rows.flatMap((row) => [
    ...witnessOf(design.before, row.before),
    ...witnessOf(design.after, row.after),
  ]);
  if (witnesses.length < LEAST_SIDES) return NO_PRIOR;
  // Sums of the same numbers in the same order, whichever side is called before.
  witnesses.sort((a, b) => a.between - b.between || a.within - b.within || a.square - b.square || a.spread - b.spread);
  const relative = fitRelative(witnesses);
  const logs = witnesses.map((witness) => logOf(witness, relative));
  const middle = mean(logs);
  const scatter = (mean(logs.map((log) => (log - middle) ** 2)) * logs.length) / (logs.length - 1);
  const excess = scatter - mean(witnesses.map(({ spread }) => spread));
  return { relative, freedom: excess > 0 ? 2 * trigammaInverse(excess) : Infinity, isCommon };
}

/**
 * Whether everything together varies from run to run far beyond sampling: on a machine that is busy by turns all functions are slow at
 * once, so that hundreds of them know hardly more than one.
 */
export const varyTogether = ({ before, after }: RowEstimate): boolean =>
  before.between + after.between > OUTLIER * (before.within + after.within);

function witnessOf(
  { groups, freedom }: SideDesign,
  { mean: value, between, within, withinFreedom, samples }: SideEstimate,
): Witness[] {
  if (samples < LEAST_SAMPLES * groups.flat().length || !(between > 0 && within > 0) || value === 0) return [];
  const spread = trigamma(freedom / 2) + (withinFreedom === Infinity ? 0 : trigamma(withinFreedom / 2));
  return [{ between, within, square: value ** 2, bias: digamma(freedom / 2) - Math.log(freedom / 2), spread }];
}

/** Log of a variance in units of what is expected of it; 0 on average. */
const logOf = ({ between, within, square, bias }: Witness, relative: number): number =>
  Math.log(between / (within + relative * square)) - bias;

function fitRelative(witnesses: readonly Witness[]): number {
  const isTooSmall = (relative: number): boolean => mean(witnesses.map((witness) => logOf(witness, relative))) > 0;
  if (!isTooSmall(0)) return 0;
  let low = 0;
  // Here no logarithm is above 0.
  let high = Math.max(...witnesses.map(({ between, square, bias }) => (between / square) * Math.exp(-bias)));
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (isTooSmall(middle)) low = middle;
    else high = middle;
  }
  return high;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Variance of one capture of a replicated side: what its captures vary, moderated by the prior, or what sampling alone makes them vary
 * where that is more (three equal runs do not prove that the next one is equal).
 */
export function moderate(
  { freedom }: SideDesign,
  { mean: value, between, within, withinFreedom }: SideEstimate,
  prior: VariancePrior,
): { variance: number; freedom: number } {
  if (Number.isNaN(within)) return { variance: between, freedom };
  const expected = within + prior.relative * value ** 2;
  if (between > OUTLIER * expected) return { variance: between, freedom };
  const believed = Math.min(prior.freedom, mostBelieved(freedom, prior.isCommon));
  const moderated = (believed * expected + freedom * between) / (believed + freedom);
  if (moderated >= within) return { variance: moderated, freedom: believed + freedom };
  return { variance: within, freedom: Math.min(withinFreedom, believed + freedom) };
}
