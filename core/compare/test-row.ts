import type { ComparisonDesign, RowEstimate, SideDesign, SideEstimate } from './measures.ts';
import { studentQuantile, studentTwoSided } from './student.ts';
import { moderate, type VariancePrior } from './variance-prior.ts';

/** Where a row's p-value and interval come from. */
export type Method =
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

/** Test of one row: p-value, and intervals of any level that agree with it. */
export interface RowTest {
  readonly delta: number;
  readonly method: Method;
  /** Null with method `none`. */
  readonly p: number | null;
  /** Null with method `none`. Leaves 0 out exactly where p is below 1 − level. */
  readonly interval: (level: number) => readonly [number, number] | null;
}

/** A t-test where both sides are repeated, sampling variance else, exact counts where a side has nothing. */
export function testRow(design: ComparisonDesign, row: RowEstimate, prior: VariancePrior): RowTest {
  const { before, after } = row;
  if (design.isPaired) return testMeans(row, 'paired', pairedVariance(design, row));
  const isOneSided = (before.samples === 0) !== (after.samples === 0);
  const oneSided = isOneSided && design.before.isCount && design.after.isCount ? testOneSided(design, row) : null;
  if (oneSided !== null) return oneSided;
  const used = design.isReplicated ? prior : null;
  const variances = [sideVariance(design.before, before, used), sideVariance(design.after, after, used)] as const;
  return testMeans(row, design.isReplicated ? 'welch' : 'within-run', welchVariance(variances));
}

/** Variance of an estimate, and its degrees of freedom. */
interface Variance {
  readonly ofMean: number;
  readonly freedom: number;
}

function testMeans({ before, after }: RowEstimate, method: Method, { ofMean, freedom }: Variance): RowTest {
  const delta = after.mean - before.mean;
  // Squares of weights from 1e154 on are no numbers.
  if (!Number.isFinite(ofMean) || (ofMean === 0 && delta !== 0)) return untested(delta);
  if (ofMean === 0) return { delta, method, p: 1, interval: () => [0, 0] };
  const deviation = Math.sqrt(ofMean);
  return {
    delta,
    method,
    p: studentTwoSided(delta / deviation, freedom),
    interval: (level) => around(delta, deviation * studentQuantile(1 - level, freedom)),
  };
}

const untested = (delta: number): RowTest => ({ delta, method: 'none', p: null, interval: () => null });

const around = (delta: number, reach: number): readonly [number, number] => [delta - reach, delta + reach];

/** Welch 1947, Satterthwaite 1946. */
function welchVariance([before, after]: readonly [Variance, Variance]): Variance {
  const ofMean = before.ofMean + after.ofMean;
  const part = (side: Variance): number => (side.ofMean / ofMean) ** 2 / side.freedom;
  return { ofMean, freedom: 1 / (part(before) + part(after)) };
}

/** Hosts' differences are the replicates; sampling variance is a floor here too. */
function pairedVariance(design: ComparisonDesign, { before, after, betweenHosts }: RowEstimate): Variance {
  const hosts = design.before.groups.length;
  const floor = before.within * design.before.meanFactor + after.within * design.after.meanFactor;
  return { ofMean: larger(betweenHosts / hosts, floor), freedom: hosts - 1 };
}

/** Variance of a side's mean. With replicates: see {@link moderate}. Without: the larger of what is known. */
function sideVariance(design: SideDesign, estimate: SideEstimate, prior: VariancePrior | null): Variance {
  const factor = design.meanFactor;
  if (prior !== null) {
    const { variance, freedom } = moderate(design, estimate, prior);
    return { ofMean: variance * factor, freedom };
  }
  const { between, within, withinFreedom } = estimate;
  if (Number.isNaN(within)) return { ofMean: Number.NaN, freedom: 1 };
  return { ofMean: larger(between, within) * factor, freedom: withinFreedom };
}

const larger = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));

/**
 * Given N samples in all, each is on the one side with probability exposure ÷ exposures where the rates are equal (Przyborowski &
 * Wilenski 1940); the probability that all are is doubled for two sides. Where replicates vary more than counts do, N is divided by how
 * much more (quasi-likelihood: McCullagh & Nelder 1989, 6.2): twenty samples of one run in three are no twenty observations. Null where that
 * says nothing.
 */
function testOneSided(design: ComparisonDesign, { before, after }: RowEstimate): RowTest | null {
  const delta = after.mean - before.mean;
  const [present, itsExposure] = before.samples > 0 ? [before, design.before.exposure] : [after, design.after.exposure];
  const share = itsExposure / (design.before.exposure + design.after.exposure);
  const dispersion = present.between > present.within ? present.between / present.within : 1;
  const p = Math.min(1, 2 * Math.exp((present.samples / dispersion) * Math.log(share)));
  if (!(p < 1) || delta === 0) return null;
  return { delta, method: 'conditional-binomial', p, interval: (level) => around(delta, reachOf(delta, p, level)) };
}

/** Below it, a p-value's logarithm would lose itself. */
const LEAST_P = 1e-300;

/** Half of the interval that a p-value and its estimate imply: Altman & Bland, BMJ 2011;343:d2090. */
function reachOf(delta: number, p: number, level: number): number {
  return Math.abs(delta) * (studentQuantile(1 - level, Infinity) / studentQuantile(Math.max(p, LEAST_P), Infinity));
}
