import type { ComparisonDesign, RowEstimate, SideDesign, SideEstimate } from '../measure/measures.ts';

/**
 * The expected variance of a row between replicates, learned from all rows: its sampling variance + `relative` × the
 * square of its value, with the weight of an observation with `freedom` degrees of freedom.
 */
interface Expectation {
  readonly relative: number;
  readonly freedom: number;
}

/**
 * Expectations for frequent and for rare rows, each learned only from rows of the same kind; see {@link LEAST_SAMPLES}.
 */
export interface VariancePrior {
  readonly frequent: Expectation;
  readonly rare: Expectation;
  /** Rows vary together, see {@link varyTogether}. */
  readonly isCommon: boolean;
}

const NOTHING: Expectation = { relative: 0, freedom: 0 };

/** Judges each row by itself. */
export const NO_PRIOR: VariancePrior = { frequent: NOTHING, rare: NOTHING, isCommon: false };

/**
 * Minimum samples per capture of a frequent row. For rarer counts, the logarithm of a variance deviates from theory,
 * and their sampling variances, each the smallest of several estimates, are lower than those of frequent rows if
 * samples arrive in bursts. So neither kind informs the other.
 */
const LEAST_SAMPLES = 30;
/**
 * Minimum samples of a side, over all its captures, for a rare row to inform others: about the number from which rows
 * are tested.
 */
const LEAST_TESTED = 5;
/** Minimum number of rows' sides to learn from. */
const LEAST_SIDES = 10;
/** A row that varies more than this many times the expectation is judged by itself. */
const OUTLIER = 3;
/**
 * Maximum degrees of freedom of the prior that are trusted. Rows are correlated, so they are less informative than as
 * many independent ones, and with few replicates little can be known about how similar rows are. `freedom` is that of
 * the replicates; five of them have four.
 */
const mostBelieved = (freedom: number): number => (freedom >= 4 ? 12 : 6);
/** The same for relative values, which share the errors of their captures' size factors. */
const MOST_OF_RELATIVE = 6;
/** Rounds of the bisection; each halves the range. */
const ROUNDS = 50;

/** One side of a row that informs others. */
interface Witness {
  readonly between: number;
  readonly within: number;
  /** Square of its value. */
  readonly square: number;
  /** Expectation and variance of log(between ÷ its expectation) if rows differ only in value. */
  readonly bias: number;
  readonly spread: number;
}

/**
 * Empirical Bayes after Smyth (2004, "limma"), with a mean-variance relation: `relative` makes the mean of log(variance
 * ÷ expected variance) equal to that of χ² ÷ its degrees of freedom; scatter of the logarithms beyond that is
 * attributed to differences between rows.
 */
export function estimatePrior(design: ComparisonDesign, rows: readonly RowEstimate[], isCommon = false): VariancePrior {
  if (!design.isReplicated || design.isPaired) return NO_PRIOR;
  const sides = rows.flatMap(({ before, after }) => [
    { side: design.before, estimate: before },
    { side: design.after, estimate: after },
  ]);
  const most = design.unevenness > 0 ? MOST_OF_RELATIVE : Infinity;
  const learn = (isOfKind: (is: boolean) => boolean): Expectation => {
    const { relative, freedom } = expectationOf(
      sides.flatMap(({ side, estimate }) => (isOfKind(isFrequent(side, estimate)) ? witnessOf(side, estimate) : [])),
    );
    return { relative, freedom: Math.min(freedom, most) };
  };
  return { frequent: learn((is) => is), rare: learn((is) => !is), isCommon };
}

const isFrequent = ({ groups }: SideDesign, { samples }: SideEstimate): boolean =>
  samples >= LEAST_SAMPLES * groups.flat().length;

function expectationOf(witnesses: Witness[]): Expectation {
  if (witnesses.length < LEAST_SIDES) return NOTHING;
  // Sorted so that the same numbers are summed in the same order, regardless of which side is before.
  witnesses.sort((a, b) => a.between - b.between || a.within - b.within || a.square - b.square || a.spread - b.spread);
  const relative = fitRelative(witnesses);
  const logs = witnesses.map((witness) => logOf(witness, relative));
  const middle = mean(logs);
  const scatter = (mean(logs.map((log) => (log - middle) ** 2)) * logs.length) / (logs.length - 1);
  const excess = scatter - mean(witnesses.map(({ spread }) => spread));
  return { relative, freedom: excess > 0 ? 2 * trigammaInverse(excess) : Infinity };
}

/**
 * Returns whether the whole varies from run to run far more than sampling explains. On a machine with fluctuating load,
 * all functions slow down at once, so hundreds of them are hardly more informative than one.
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

/** Returns the logarithm of a variance relative to its expectation; 0 on average. */
const logOf = ({ between, within, square, bias }: Witness, relative: number): number =>
  Math.log(between / (within + relative * square)) - bias;

function fitRelative(witnesses: readonly Witness[]): number {
  const isTooSmall = (relative: number): boolean => mean(witnesses.map((witness) => logOf(witness, relative))) > 0;
  if (!isTooSmall(0)) return 0;
  let low = 0;
  // At this value, no logarithm is above 0.
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
 * Returns the variance of one capture of a replicated side: the variance of its captures, moderated by the prior, or
 * the sampling variance if it is larger (three equal runs do not prove that the next one is equal).
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
 * Returns the degrees of freedom of a moderated variance (Satterthwaite). About the part of the variance that all rows
 * share, other rows add no information, because they saw the same runs.
 */
const knownOf = (freedom: number, believed: number, shared: number): number =>
  Math.min(freedom + believed, 1 / ((1 - shared) ** 2 / (freedom + believed) + shared ** 2 / freedom));

/** From this argument on, three terms of the asymptotic series give twelve digits. */
const SERIES_START = 20;
/** Limit for Newton's method, which converges in a few rounds. */
const MAX_ROUNDS = 50;

/** Returns ψ(x), the derivative of log Γ(x), for x > 0: 6.3.5 (recurrence) and 6.3.18 of Abramowitz & Stegun. */
export function digamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < SERIES_START; at++) sum -= 1 / at;
  const square = 1 / at ** 2;
  return sum + Math.log(at) - 1 / (2 * at) - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)));
}

/** Returns ψ′(x), x > 0: 6.4.6 and 6.4.12 of Abramowitz & Stegun. */
export function trigamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < SERIES_START; at++) sum += 1 / at ** 2;
  const square = 1 / at ** 2;
  return sum + 1 / at + square / 2 + (square / at) * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30)));
}

/** Returns ψ″(x), x > 0: 6.4.6 and 6.4.13 of Abramowitz & Stegun. */
function tetragamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < SERIES_START; at++) sum -= 2 / at ** 3;
  const square = 1 / at ** 2;
  return sum - square * (1 + 1 / at + square * (1 / 2 - square * (1 / 6 - square * (1 / 6 - square * 0.3))));
}

/**
 * Returns the x > 0 with ψ′(x) = y, for y > 0: Newton's method on 1 ÷ ψ′, which is nearly linear (Smyth 2004,
 * appendix).
 */
export function trigammaInverse(y: number): number {
  let x = 0.5 + 1 / y;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const value = trigamma(x);
    const step = (value * (1 - value / y)) / tetragamma(x);
    x += step;
    if (Math.abs(step) < 1e-10 * x) break;
  }
  return x;
}
