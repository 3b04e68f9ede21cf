import type { ComparisonDesign, RowEstimate, SideDesign, SideEstimate } from '../measure/measures.ts';
import { studentQuantile, studentTwoSided } from './student.ts';
import { moderate, type VariancePrior } from './variance-prior.ts';

/** The source of a row's p-value and interval. */
export type TestMethod =
  /** Welch's t over replicates, with variances moderated over rows. */
  | 'welch'
  /** Student's t over the differences of hosts. */
  | 'paired'
  /** The exact conditional binomial test of a row that one side lacks. */
  | 'conditional-binomial'
  /** Sampling variance of one or two captures a side: valid within these runs only. */
  | 'within-run'
  /** The variation of the value is unknown. */
  | 'none';

/**
 * The tested quantity of a row: after − `factor` × before − `offset`, of normalised weights; `factor` ≥ 0. 1.05 and 0
 * test whether the row grew by more than 5 %, 1 and 2 whether it grew by more than 2.
 */
export interface Contrast {
  readonly factor: number;
  readonly offset: number;
}

/** Tests for any difference. */
export const ANY_CHANGE: Contrast = { factor: 1, offset: 0 };

/** Test of one row's contrast: p-value, and intervals of any level that agree with it. */
export interface RowTest {
  /** The contrast itself; for {@link ANY_CHANGE}, the delta. */
  readonly delta: number;
  readonly method: TestMethod;
  /** Null with method `none`. */
  readonly p: number | null;
  /** Null with method `none`. Excludes 0 exactly if p is below 1 − level. */
  readonly interval: (level: number) => readonly [number, number] | null;
  /** Null with method `none`, and if nothing varies. */
  readonly spread: Spread | null;
}

/** The uncertainty of a contrast. */
export interface Spread {
  /** Standard deviation of the contrast. */
  readonly deviation: number;
  /** Degrees of freedom of the deviation; Infinity for a count. */
  readonly freedom: number;
}

/**
 * Tests a row by a t-test if both sides have replicates, otherwise by sampling variance. If a side has no samples, the
 * exact binomial test must agree: the larger p-value and the wider interval of the two apply.
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
  const allowed = design.unevenness * Math.max(0, Math.min(factor * before.mean, after.mean));
  if (design.isPaired) return testMean(delta, 'paired', pairedVariance(design, row, contrast), allowed);
  const used = design.isReplicated ? prior : null;
  const scaled = scaleVariance(sideVariance(design.before, before, used), factor);
  const variance = welchVariance([scaled, sideVariance(design.after, after, used)]);
  const test = testMean(delta, design.isReplicated ? 'welch' : 'within-run', variance, allowed);
  const isOneSided = (before.samples === 0) !== (after.samples === 0);
  const isCount = design.before.isCount && design.after.isCount;
  if (!isOneSided || !isCount || offset !== 0) return test;
  const exact = testOneSided(design, row, factor);
  return design.isReplicated ? both(test, exact) : (exact ?? test);
}

/** Combines two tests conservatively: the larger p-value and the wider interval. */
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

/** Both intervals are symmetric about the same delta. */
const wider = (one: readonly [number, number], other: readonly [number, number]): readonly [number, number] =>
  other[1] > one[1] ? other : one;

/** Variance of an estimate, and its degrees of freedom. */
export interface Variance {
  readonly ofMean: number;
  readonly freedom: number;
}

/**
 * Tests whether a contrast differs from 0, although a slowdown may change it by anything up to `allowed` in either
 * direction: beyond that, or by more than runs and slowdown vary together (variance of a uniform distribution).
 */
function testMean(delta: number, method: TestMethod, { ofMean, freedom }: Variance, allowed: number): RowTest {
  // Squares of weights of 1e154 or more overflow.
  if (!Number.isFinite(ofMean) || (ofMean === 0 && delta !== 0)) return untested(delta);
  if (ofMean === 0) return { delta, method, p: 1, interval: () => [0, 0], spread: null };
  const deviation = Math.sqrt(ofMean);
  const together = Math.sqrt(ofMean + allowed ** 2 / 3);
  const most = Math.max((Math.abs(delta) - allowed) / deviation, Math.abs(delta) / together);
  const reach = (t: number): number => Math.min(allowed + t * deviation, t * together);
  return {
    delta,
    method,
    p: studentTwoSided(Math.max(0, most), freedom),
    interval: (level) => around(delta, reach(studentQuantile(1 - level, freedom))),
    spread: { deviation, freedom },
  };
}

const scaleVariance = ({ ofMean, freedom }: Variance, factor: number): Variance => ({
  ofMean: ofMean * factor ** 2,
  freedom,
});

const untested = (delta: number): RowTest => ({ delta, method: 'none', p: null, interval: () => null, spread: null });

const around = (delta: number, reach: number): readonly [number, number] => [delta - reach, delta + reach];

/** Combines two variances like Welch (1947) and Satterthwaite (1946). */
export function welchVariance([before, after]: readonly [Variance, Variance]): Variance {
  const ofMean = before.ofMean + after.ofMean;
  const part = (side: Variance): number => (side.ofMean / ofMean) ** 2 / side.freedom;
  return { ofMean, freedom: 1 / (part(before) + part(after)) };
}

/** Treats the hosts' differences as replicates; sampling variance is a lower bound here, too. */
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

/**
 * Returns the variance of a side's mean: with replicates see {@link moderate}, without them the larger of the known
 * variances.
 */
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
 * If the rates are equal, each of N samples falls on one side with probability exposure ÷ exposures (Przyborowski &
 * Wilenski 1940); the probability that all do is doubled for two sides. `factor` is the rate after as a multiple of the
 * rate before. A new row is tested against equal rates, because any multiple of nothing is nothing. Null if the test
 * says nothing.
 */
function testOneSided(design: ComparisonDesign, { before, after }: RowEstimate, factor: number): RowTest | null {
  const isNew = before.samples === 0;
  const delta = after.mean - factor * before.mean;
  const present = isNew ? after.samples : before.samples;
  const [its, other] = isNew
    ? [design.after.exposure, design.before.exposure]
    : [design.before.exposure, factor * design.after.exposure];
  if (!(its > 0 && other > 0) || delta === 0) return null;
  const p = Math.min(1, 2 * Math.exp(present * Math.log(its / (its + other))));
  const deviation =
    p > WEAK_P ? (Math.abs(delta) / present) * countDeviation(present, its / other) : deviationOf(delta, p);
  return {
    delta,
    method: 'conditional-binomial',
    p,
    interval: (level) => around(delta, deviation * studentQuantile(1 - level, Infinity)),
    spread: { deviation, freedom: Infinity },
  };
}

/** Above this p-value, the deviation that it implies grows without bound; at 1 it is infinite. */
const WEAK_P = 0.5;
/** The upper 95 % limit of a Poisson mean if the count is 0. */
const LIMIT_OF_NONE = -Math.log(0.025);

/**
 * Returns the standard deviation of a count's difference from 0 samples on the other side, in samples; one sample there
 * weighs as much as `weight` here. It is that of the farther 95 % limit of the difference, which combines the limits of
 * both counts (Li, Tang & Tian 2011).
 */
function countDeviation(count: number, weight: number): number {
  const z = studentQuantile(0.05, Infinity);
  const below = Math.hypot(count - poissonLimit(count, -z), weight * LIMIT_OF_NONE);
  return Math.max(below, poissonLimit(count + 1, z) - count) / z;
}

/** Returns the limit of a Poisson mean by Byar’s approximation (Breslow & Day 1987, p. 69). */
const poissonLimit = (count: number, z: number): number =>
  count * (1 - 1 / (9 * count) + z / (3 * Math.sqrt(count))) ** 3;

/** The logarithm of a smaller p-value would lose precision. */
const LEAST_P = 1e-300;

/** Returns the standard deviation that a p-value and its estimate imply: Altman & Bland, BMJ 2011;343:d2090. */
const deviationOf = (delta: number, p: number): number =>
  Math.abs(delta) / studentQuantile(Math.max(p, LEAST_P), Infinity);
