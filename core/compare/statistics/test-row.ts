import type { ComparisonDesign, RowEstimate, SideDesign, SideEstimate } from '../measure/measures.ts';
import { studentQuantile, studentTwoSided } from './student.ts';
import { moderate, type VariancePrior } from './variance-prior.ts';

/** Where a row's p-value and interval come from. */
export type TestMethod =
  /** Welch's t over replicates, variances moderated over rows. */
  | 'welch'
  /** Student's t over the differences of hosts. */
  | 'paired'
  /** The exact conditional binomial, of a row that one side does not have. */
  | 'conditional-binomial'
  /** Sampling variance of one or two captures a side: what it says holds within these runs only. */
  | 'within-run'
  /** Nothing tells how much the value varies. */
  | 'none';

/**
 * What is tested of a row: after − `factor` × before − `offset`, of normalised weights; `factor` ≥ 0. With 1.05 and 0: whether the row
 * grew by more than 5 %. With 1 and 2: whether it grew by more than 2.
 */
export interface Contrast {
  readonly factor: number;
  readonly offset: number;
}

/** Whether there is any difference. */
export const ANY_CHANGE: Contrast = { factor: 1, offset: 0 };

/** Test of one row's contrast: p-value, and intervals of any level that agree with it. */
export interface RowTest {
  /** The contrast itself; of {@link ANY_CHANGE}, the delta. */
  readonly delta: number;
  readonly method: TestMethod;
  /** Null with method `none`. */
  readonly p: number | null;
  /** Null with method `none`. Leaves 0 out exactly where p is below 1 − level. */
  readonly interval: (level: number) => readonly [number, number] | null;
  /** Null with method `none`, and where nothing varies. */
  readonly spread: Spread | null;
}

/** How certain a contrast is. */
export interface Spread {
  /** Standard deviation of the contrast. */
  readonly deviation: number;
  /** Degrees of freedom of the deviation; Infinity of a count. */
  readonly freedom: number;
}

/**
 * A t-test where both sides are repeated, else one of sampling variance. Where a side has no sample, the exact binomial must agree with
 * it: the larger p-value and the wider interval of the two.
 */
export function testRow(
  design: ComparisonDesign,
  row: RowEstimate,
  prior: VariancePrior,
  contrast: Contrast = ANY_CHANGE,
): RowTest {
  const { before, after } = row;
  const { factor, offset } = contrast;
  const delta = after.mean - factor * before.mean - offset;
  if (design.isPaired) return testMean(delta, 'paired', pairedVariance(design, row, contrast));
  const used = design.isReplicated ? prior : null;
  const scaled = scaleVariance(sideVariance(design.before, before, used), factor);
  const variance = welchVariance([scaled, sideVariance(design.after, after, used)]);
  const test = testMean(delta, design.isReplicated ? 'welch' : 'within-run', variance);
  const isOneSided = (before.samples === 0) !== (after.samples === 0);
  const isCount = design.before.isCount && design.after.isCount;
  if (!isOneSided || !isCount || offset !== 0) return test;
  const exact = testOneSided(design, row, factor);
  return design.isReplicated ? both(test, exact) : (exact ?? test);
}

/** As far as both tests go. */
function both(test: RowTest, exact: RowTest | null): RowTest {
  if (exact === null) return test;
  if (test.p === null) return exact;
  return {
    delta: test.delta,
    method: exact.p! >= test.p ? exact.method : test.method,
    p: Math.max(test.p, exact.p!),
    interval: (level) => wider(test.interval(level)!, exact.interval(level)!),
    spread: exact.p! >= test.p ? exact.spread : test.spread,
  };
}

/** Both lie evenly about one delta. */
const wider = (one: readonly [number, number], other: readonly [number, number]): readonly [number, number] =>
  other[1] > one[1] ? other : one;

/** Variance of an estimate, and its degrees of freedom. */
interface Variance {
  readonly ofMean: number;
  readonly freedom: number;
}

function testMean(delta: number, method: TestMethod, { ofMean, freedom }: Variance): RowTest {
  // Squares of weights from 1e154 on are no numbers.
  if (!Number.isFinite(ofMean) || (ofMean === 0 && delta !== 0)) return untested(delta);
  if (ofMean === 0) return { delta, method, p: 1, interval: () => [0, 0], spread: null };
  const deviation = Math.sqrt(ofMean);
  return {
    delta,
    method,
    p: studentTwoSided(delta / deviation, freedom),
    interval: (level) => around(delta, deviation * studentQuantile(1 - level, freedom)),
    spread: { deviation, freedom },
  };
}

const scaleVariance = ({ ofMean, freedom }: Variance, factor: number): Variance => ({
  ofMean: ofMean * factor ** 2,
  freedom,
});

const untested = (delta: number): RowTest => ({ delta, method: 'none', p: null, interval: () => null, spread: null });

const around = (delta: number, reach: number): readonly [number, number] => [delta - reach, delta + reach];

/** Welch 1947, Satterthwaite 1946. */
function welchVariance([before, after]: readonly [Variance, Variance]): Variance {
  const ofMean = before.ofMean + after.ofMean;
  const part = (side: Variance): number => (side.ofMean / ofMean) ** 2 / side.freedom;
  return { ofMean, freedom: 1 / (part(before) + part(after)) };
}

/** Hosts' differences are the replicates; sampling variance is a floor here too. */
function pairedVariance(design: ComparisonDesign, { before, after }: RowEstimate, { factor }: Contrast): Variance {
  const hosts = design.before.groups.length;
  const mean = after.mean - factor * before.mean;
  const squares = after.groupMeans.reduce(
    (sum, of, host) => sum + (of - factor * before.groupMeans[host]! - mean) ** 2,
    0,
  );
  const floor = before.within * design.before.meanFactor * factor ** 2 + after.within * design.after.meanFactor;
  return { ofMean: larger(squares / (hosts - 1) / hosts, floor), freedom: hosts - 1 };
}

/** Variance of a side's mean. With replicates: see {@link moderate}. Without: the larger of what is known. */
function sideVariance(design: SideDesign, estimate: SideEstimate, prior: VariancePrior | null): Variance {
  const factor = design.meanFactor;
  if (prior !== null) {
    const { variance, freedom } = moderate(design, estimate, prior);
    return { ofMean: variance * factor, freedom };
  }
  const { between, withinRun } = estimate;
  if (Number.isNaN(withinRun.variance)) return { ofMean: Number.NaN, freedom: 1 };
  return { ofMean: larger(between, withinRun.variance) * factor, freedom: withinRun.freedom };
}

const larger = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));

/**
 * Given N samples in all, each is on the one side with probability exposure ÷ exposures where the rates are equal (Przyborowski &
 * Wilenski 1940); the probability that all are is doubled for two sides. `factor`: the rate after as a multiple of that before; of a
 * row that is new any multiple of nothing is nothing, so it is tested against equal rates. Null where that says nothing.
 */
function testOneSided(design: ComparisonDesign, { before, after }: RowEstimate, factor: number): RowTest | null {
  const isNew = before.samples === 0;
  const delta = after.mean - factor * before.mean;
  const present = isNew ? after.samples : before.samples;
  const [its, other] = isNew
    ? [design.after.exposure, design.before.exposure]
    : [design.before.exposure, factor * design.after.exposure];
  const p = Math.min(1, 2 * Math.exp(present * Math.log(its / (its + other))));
  if (!(p < 1) || delta === 0) return null;
  const deviation = deviationOf(delta, p);
  return {
    delta,
    method: 'conditional-binomial',
    p,
    interval: (level) => around(delta, deviation * studentQuantile(1 - level, Infinity)),
    spread: { deviation, freedom: Infinity },
  };
}

/** Below it, a p-value's logarithm would lose itself. */
const LEAST_P = 1e-300;

/** Returns the standard deviation that a p-value and its estimate imply: Altman & Bland, BMJ 2011;343:d2090. */
const deviationOf = (delta: number, p: number): number =>
  Math.abs(delta) / studentQuantile(Math.max(p, LEAST_P), Infinity);
