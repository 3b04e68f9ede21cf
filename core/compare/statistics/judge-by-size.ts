import { finish, type Steps } from '../../steps.ts';
import { designComparison, estimateRow, type ComparisonDesign, type SideMeasures } from '../measure/measures.ts';
import type { Judgement, Withheld } from './judge.ts';
import {
  judgeMetricSteps,
  judgeSelfSteps,
  type JudgedMetrics,
  type MeasuredMetrics,
  type MeasuredPair,
} from './judge-metrics.ts';
import { estimateSizes, type NoFactors, type SizeFactors } from './size-factors.ts';
import { testRow } from './test-row.ts';
import { NO_PRIOR } from './variance-prior.ts';
import type { Side } from '../../contract/side.ts';

/** What the size factors of both sides show. Changes of values that have no unit of work may be of load or machine. */
export interface Sizes {
  /**
   * same: the factors differ by less than {@link SAME}, so that values compare as measured. differs, undetermined:
   * functions compare relative to the typical function. unknown: there are no factors, so that nothing is decided.
   */
  readonly status: 'same' | 'differs' | 'undetermined' | 'unknown';
  /** Why the status is unknown, else null. */
  readonly reason: NoFactors | null;
  /** Factor of the typical function, after ÷ before; null if unknown. */
  readonly ratio: number | null;
  /** 95 % interval of `ratio`; null if unknown, or without replicates. */
  readonly interval: readonly [number, number] | null;
  /** The whole as measured. */
  readonly whole: Judgement;
  /** Values are as measured although the sides' sizes are not the same, so that nothing is decided. */
  readonly asMeasured?: true;
}

export interface SizedMetrics extends JudgedMetrics {
  /** The values that were judged: relative ones are divided by the captures' size factors. */
  readonly metrics: MeasuredMetrics;
  /** The values as measured, which are the same if verdicts are not relative, and their judgements. */
  readonly measured: Pick<JudgedMetrics, 'self' | 'total'> & { readonly metrics: MeasuredMetrics };
  /** Null if values have a unit of work. */
  readonly sizes: Sizes | null;
  /** Size factors of the captures, or why there are none; null if values have a unit of work. */
  readonly factors: SizeFactors | NoFactors | null;
  /** Size factor of each capture by which values are divided, 1 on average before; null if they are as measured. */
  readonly divisors: Readonly<Record<Side, readonly number[]>> | null;
}

/** Verdicts speak of the change relative to the typical function. */
export const isRelative = (sizes: Sizes | null): boolean =>
  sizes !== null && sizes.asMeasured !== true && (sizes.status === 'differs' || sizes.status === 'undetermined');

/** Load or machine may have caused any change, and nothing says what a function did relative to the others. */
export const isUndecided = (sizes: Sizes | null): boolean =>
  sizes !== null && sizes.status !== 'same' && !isRelative(sizes);

/** Sides whose factors differ by less are the same. */
const SAME = 0.1;
/** Level of the interval of the sides' ratio. */
export const LEVEL = 0.95;
/** Functions that a first pass suspects to have changed do not inform the second one. */
const SUSPECT_P = 0.05;
/** Part of the sides' difference, as a logarithm, by which a slowdown may be uneven among functions. */
const UNEVEN = 0.1;

/** Judges values; those without a unit of work by the size factors of their captures. */
export const judgeBySize = (
  metrics: MeasuredMetrics,
  hasUnitOfWork: boolean,
  factors: SizeFactors | NoFactors | null = null,
): SizedMetrics => finish(judgeBySizeSteps(metrics, hasUnitOfWork, factors));

/**
 * Like {@link judgeBySize}, in pieces. `known`: factors of the whole captures; null: these metrics are of all of them.
 * `asMeasured` leaves values as they are where size factors would decide.
 */
export function* judgeBySizeSteps(
  metrics: MeasuredMetrics,
  hasUnitOfWork: boolean,
  known: SizeFactors | NoFactors | null = null,
  asMeasured = false,
): Steps<SizedMetrics> {
  const measured = yield* judgeMetricSteps(metrics);
  const { self, total } = measured;
  const undivided = { metrics, measured: { metrics, self, total } };
  if (hasUnitOfWork) return { ...measured, ...undivided, sizes: null, factors: null, divisors: null };
  const factors = known ?? (yield* sizesOf(metrics, measured.design));
  if (typeof factors === 'string') {
    const undecided = { ...measured, ...mapJudgements(measured, notDecided) };
    const sizes = { status: 'unknown', reason: factors, ratio: null, interval: null, whole: undecided.whole } as const;
    return { ...undecided, ...undivided, sizes, factors, divisors: null };
  }
  const { difference, ...found } = compareSizes(metrics, factors);
  if (asMeasured && found.status !== 'same') {
    const undecided = { ...measured, ...mapJudgements(measured, notDecided) };
    const sizes = { ...found, whole: undecided.whole, asMeasured };
    return { ...undecided, ...undivided, sizes, factors, divisors: null };
  }
  const divisors = fromBefore(factors, measured.design);
  const relative = { ...metrics, ...divideAll(metrics, divisors) };
  if (found.status === 'same') {
    const agreed = agree(measured, yield* judgeMetricSteps(relative));
    return {
      ...measured,
      ...agreed,
      ...undivided,
      sizes: { ...found, whole: measured.whole },
      factors,
      divisors: null,
    };
  }
  const judged = yield* judgeMetricSteps(relative, Math.expm1(UNEVEN * Math.abs(difference)));
  const sizes = { ...found, whole: notDecided(measured.whole) };
  return { ...judged, ...undivided, whole: notDecided(judged.whole), metrics: relative, sizes, factors, divisors };
}

/** Estimates size factors in two passes: functions that changed after the first one do not inform the second. */
export function* sizesOf(metrics: MeasuredMetrics, design: ComparisonDesign): Steps<SizeFactors | NoFactors> {
  const first = estimateSizes(metrics.self, design);
  if (typeof first === 'string') return first;
  const self = yield* judgeSelfSteps(divideAll(metrics, fromBefore(first, design)));
  const suspects = self.flatMap(({ p }, row) => (p !== null && p < SUSPECT_P ? [row] : []));
  return estimateSizes(metrics.self, design, new Set(suspects));
}

/** Compares the sides' factors by Welch's t-test of their logarithms; sameness needs an interval, not its absence. */
function compareSizes(
  { self }: MeasuredMetrics,
  factors: SizeFactors,
): Pick<Sizes, 'status' | 'reason' | 'ratio' | 'interval'> & { readonly difference: number } {
  const row = (side: Side): SideMeasures => ({
    rows: 1,
    captures: self[side].captures,
    value: factors[side],
    sampling: null,
    samples: new Float64Array(factors[side].length).fill(1),
  });
  const [before, after] = [row('before'), row('after')];
  const design = designComparison(before.captures, after.captures);
  const { delta, interval: at } = testRow(design, estimateRow(design, before, after, 0), NO_PRIOR);
  const interval = design.isReplicated ? at(LEVEL) : null;
  const bound = Math.log1p(SAME);
  const status =
    interval === null
      ? 'undetermined'
      : Math.max(...interval.map(Math.abs)) <= bound
        ? 'same'
        : interval[0] > 0 || interval[1] < 0
          ? 'differs'
          : 'undetermined';
  return {
    status,
    reason: null,
    ratio: Math.exp(delta),
    interval: interval === null ? null : [Math.exp(interval[0]), Math.exp(interval[1])],
    difference: delta,
  };
}

/** Returns the factors as multiples of before's, so that relative values are in before's size. */
function fromBefore(factors: SizeFactors, design: ComparisonDesign): NonNullable<SizedMetrics['divisors']> {
  const { groups } = design.before;
  const middle = groups.reduce((sum, group) => sum + meanOf(group, factors.before), 0) / groups.length;
  const from = (side: Float64Array): number[] => Array.from(side, (log) => Math.exp(log - middle));
  return { before: from(factors.before), after: from(factors.after) };
}

const meanOf = (places: readonly number[], of: Float64Array): number =>
  places.reduce((sum, place) => sum + of[place]!, 0) / places.length;

function divideAll(metrics: MeasuredMetrics, divisors: NonNullable<SizedMetrics['divisors']>): MeasuredMetrics {
  const divide = ({ before, after }: MeasuredPair): MeasuredPair => ({
    before: divideSide(before, divisors.before),
    after: divideSide(after, divisors.after),
  });
  return { self: divide(metrics.self), total: divide(metrics.total), whole: divide(metrics.whole) };
}

function divideSide(side: SideMeasures, divisors: readonly number[]): SideMeasures {
  const by = (table: Float64Array, power: 1 | 2): Float64Array =>
    table.map((value, at) => value / divisors[at % divisors.length]! ** power);
  const { captures, value, sampling } = side;
  return {
    ...side,
    captures: captures.map((one, place) => ({ ...one, exposure: one.exposure * divisors[place]! })),
    value: by(value, 1),
    sampling: sampling && {
      count: by(sampling.count, 2),
      coarse: by(sampling.coarse, 2),
      fine: by(sampling.fine, 2),
    },
  };
}

type Judged = Pick<JudgedMetrics, 'self' | 'total' | 'whole'>;

/** Changes all judgements; a leaf's total remains the judgement of its self. */
function mapJudgements(
  { self, total, whole }: Judged,
  change: (of: Judgement, func: number, metric: 'self' | 'total' | 'whole') => Judgement,
): Judged {
  const changed = self.map((of, func) => change(of, func, 'self'));
  return {
    self: changed,
    total: total.map((of, func) => (of === self[func] ? changed[func]! : change(of, func, 'total'))),
    whole: change(whole, 0, 'whole'),
  };
}

/** Leaves the numbers, and takes the verdict back. */
export const notDecided = (of: Judgement): Judgement =>
  of.verdict === 'not-tested' || of.verdict === 'unknown' ? of : { ...of, verdict: 'not-decided' };

/** Withholds the verdicts that values as measured have and relative ones lack, or the reverse. */
function agree(measured: JudgedMetrics, relative: JudgedMetrics): Judged {
  const direction = ({ verdict, delta }: Judgement): number =>
    verdict === 'noise' || verdict === 'not-tested' ? 0 : Math.sign(delta);
  const withhold = (of: Judgement, withheld: Withheld): Judgement => ({ ...of, verdict: 'unknown', withheld });
  return mapJudgements(measured, (of, func, metric) => {
    if (metric === 'whole' || of.verdict === 'unknown') return of;
    const [one, other] = [direction(of), direction(relative[metric][func]!)];
    if (one === other) return of;
    return withhold(of, one === 0 ? 'relative only' : 'as measured only');
  });
}
