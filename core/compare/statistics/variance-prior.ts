import type { ComparisonDesign, RowEstimate, SideDesign, SideEstimate } from '../measure/measures.ts';
import { digamma, trigamma, trigammaInverse } from './polygamma.ts';

/**
 * What rows together tell of the variance of one of them between replicates: it is its sampling variance + `relative` × the square of its
 * value, as certain as if it had been seen with `freedom` degrees of freedom.
 */
export interface Expectation {
  readonly relative: number;
  readonly freedom: number;
}

/** What is expected of frequent rows and of rare ones, each learned from such rows alone; see {@link LEAST_SAMPLES}. */
export interface VariancePrior {
  readonly frequent: Expectation;
  readonly rare: Expectation;
  /** Rows vary as one, see {@link varyTogether}. */
  readonly isCommon: boolean;
}

const NOTHING: Expectation = { relative: 0, freedom: 0 };

/** Each row by itself. */
export const NO_PRIOR: VariancePrior = { frequent: NOTHING, rare: NOTHING, isCommon: false };

/**
 * Samples per capture from which a row is frequent. The logarithm of a variance of rarer counts is not what theory says, and their sampling
 * variances, each the least of several estimates, lie lower than those of frequent rows where samples come in bursts: neither kind tells of
 * the other.
 */
const LEAST_SAMPLES = 30;
/** Samples of a side, in all its captures, from which a rare row tells of others: about those from which rows are tested. */
const LEAST_TESTED = 5;
/** Sides of rows from which there is anything to learn. */
const LEAST_SIDES = 10;
/** A row that varies more than so many times what the others let expect is judged by itself. */
const OUTLIER = 3;
/**
 * Degrees of freedom of the prior that are believed at most: rows hang together, so they know less than as many independent ones would, and
 * the fewer replicates, the less can be known of how far rows are alike. `freedom`: of the replicates; five of them have four.
 */
const mostBelieved = (freedom: number): number => (freedom >= 4 ? 12 : 6);
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
  const sides = rows.flatMap(({ before, after }) => [
    { side: design.before, estimate: before },
    { side: design.after, estimate: after },
  ]);
  const learn = (isOfKind: (is: boolean) => boolean): Expectation =>
    expectationOf(
      sides.flatMap(({ side, estimate }) => (isOfKind(isFrequent(side, estimate)) ? witnessOf(side, estimate) : [])),
    );
  return { frequent: learn((is) => is), rare: learn((is) => !is), isCommon };
}

const isFrequent = ({ groups }: SideDesign, { samples }: SideEstimate): boolean =>
  samples >= LEAST_SAMPLES * groups.flat().length;

function expectationOf(witnesses: Witness[]): Expectation {
  if (witnesses.length < LEAST_SIDES) return NOTHING;
  // Sums of the same numbers in the same order, whichever side is called before.
  witnesses.sort((a, b) => a.between - b.between || a.within - b.within || a.square - b.square || a.spread - b.spread);
  const relative = fitRelative(witnesses);
  const logs = witnesses.map((witness) => logOf(witness, relative));
  const middle = mean(logs);
  const scatter = (mean(logs.map((log) => (log - middle) ** 2)) * logs.length) / (logs.length - 1);
  const excess = scatter - mean(witnesses.map(({ spread }) => spread));
  return { relative, freedom: excess > 0 ? 2 * trigammaInverse(excess) : Infinity };
}

/**
 * Whether everything together varies from run to run far beyond sampling: on a machine that is busy by turns all functions are slow at
 * once, so that hundreds of them know hardly more than one.
 */
export const varyTogether = ({ before, after }: RowEstimate): boolean =>
  before.between + after.between > OUTLIER * (before.within + after.within);

function witnessOf(
  { freedom }: SideDesign,
  { mean: value, between, within, withinFreedom, samples }: SideEstimate,
): Witness[] {
  if (samples < LEAST_TESTED || !(between > 0 && within > 0) || value === 0) return [];
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
  design: SideDesign,
  estimate: SideEstimate,
  prior: VariancePrior,
): { variance: number; freedom: number } {
  const { freedom } = design;
  const { mean: value, between, within, withinFreedom } = estimate;
  if (Number.isNaN(within)) return { variance: between, freedom };
  const { relative, freedom: known } = isFrequent(design, estimate) ? prior.frequent : prior.rare;
  const expected = within + relative * value ** 2;
  if (between > OUTLIER * expected) return { variance: between, freedom };
  const believed = Math.min(known, mostBelieved(freedom));
  const moderated = (believed * expected + freedom * between) / (believed + freedom);
  if (moderated >= within) {
    const shared = prior.isCommon && expected > 0 ? 1 - within / expected : 0;
    return { variance: moderated, freedom: knownOf(freedom, believed, shared) };
  }
  return { variance: within, freedom: Math.min(withinFreedom, believed + freedom) };
}

/**
 * Degrees of freedom of a moderated variance (Satterthwaite). Of the part of it that all rows share, other rows know nothing beyond what
 * this one does: they saw the same runs.
 */
const knownOf = (freedom: number, believed: number, shared: number): number =>
  Math.min(freedom + believed, 1 / ((1 - shared) ** 2 / (freedom + believed) + shared ** 2 / freedom));
