import { finish, inPieces, type Steps } from '../../steps.ts';
import { controlFamily, controlTiers, FALSE_DISCOVERY_RATE, type TieredResult } from './false-discovery.ts';
import { estimateRow, type ComparisonDesign, type RowEstimate, type SideMeasures } from '../measure/measures.ts';
import type { RunEvidence } from './runs-needed.ts';
import { testRow, type TestMethod, type RowTest } from './test-row.ts';
import { estimatePrior, type VariancePrior } from './variance-prior.ts';

/**
 * grew, shrank: shown by replicates. suggestive: exceeds the variation within these runs, which is not proof. noise:
 * does not exceed it. unknown: the variation of the value is unknown. not-tested: in no family of tests. not-decided:
 * load or machine may have changed the value, see `Sizes`.
 */
export type Verdict = 'grew' | 'shrank' | 'suggestive' | 'noise' | 'unknown' | 'not-tested' | 'not-decided';

/** Whether a verdict is that of a certain change. */
export const isChange = <V extends string>(verdict: V): verdict is V & ('grew' | 'shrank') =>
  verdict === 'grew' || verdict === 'shrank';

/**
 * Reasons for withholding a verdict although there is a test; shown after *unknown*. The last two: values as measured
 * and values relative to the typical function disagree.
 */
export const WITHHELD = [
  'no symbol',
  'truncated stacks',
  'missing samples',
  'as measured only',
  'relative only',
] as const;
export type Withheld = (typeof WITHHELD)[number];

export type Presence = 'both' | 'only-before' | 'only-after';

/** The weight of a function that a judgement refers to. */
export type Metric = 'self' | 'total';

/** Before, after and the conclusion about their difference; normalised weights. */
export interface Judgement {
  readonly before: number;
  readonly after: number;
  readonly delta: number;
  /** delta ÷ before; null if before is 0, or negative: a profile from which a base was subtracted. */
  readonly relative: number | null;
  /** Excludes 0 exactly if the row is a discovery. Null if it is not tested. */
  readonly interval: readonly [number, number] | null;
  /** Level of the interval, adjusted for the row's family. Null without an interval. */
  readonly level: number | null;
  readonly p: number | null;
  /** Null for rows outside any family: too few samples, or not tested. */
  readonly q: number | null;
  readonly method: TestMethod;
  readonly verdict: Verdict;
  /** Why the verdict is unknown although there is a test. Absent if it is not withheld. */
  readonly withheld?: Withheld;
  readonly presence: Presence;
}

interface JudgeOptions {
  /** Selects the rows that may be tested if they have enough samples; absent: all. */
  readonly isCandidate?: (row: number) => boolean;
  /** Variances learned from other rows; absent: from these rows. */
  readonly prior?: VariancePrior;
  /** Everything varies far more than sampling explains, see {@link varyTogether}. */
  readonly isCommon?: boolean;
  /** Means of the whole: functions are tested in two tiers by their share of it. Absent: one family without tiers. */
  readonly whole?: Whole;
}

/** Normalised weight of the whole on each side. */
export interface Whole {
  readonly before: number;
  readonly after: number;
}

/** Rows that are judged in one piece. */
const PIECE_ROWS = 512;

/** Judges all rows as one family of tests. */
export function judgeRows(
  design: ComparisonDesign,
  before: SideMeasures,
  after: SideMeasures,
  options: JudgeOptions = {},
): JudgeResult {
  return finish(judgeSteps(design, before, after, options));
}

/** Like {@link judgeRows}, in pieces. */
export function* judgeSteps(
  design: ComparisonDesign,
  before: SideMeasures,
  after: SideMeasures,
  { isCandidate = () => true, prior, isCommon = false, whole }: JudgeOptions,
): Steps<JudgeResult> {
  const rows = yield* eachInPieces(before.rows, (row) => estimateRow(design, before, after, row));
  yield;
  const used = prior ?? estimatePrior(design, rows, isCommon);
  yield;
  const tests = yield* eachInPieces(rows.length, (row) => testRow(design, rows[row]!, used));
  yield;
  const family = [...rows.keys()].filter((row) => isTestable(design, rows[row]!, tests[row]!) && isCandidate(row));
  const p = family.map((row) => tests[row]!.p!);
  const { q, level } =
    whole === undefined
      ? controlOne(p)
      : controlTiers(
          p,
          family.map((row) => pooledShare(rows[row]!, whole)),
        );
  const placeOf = new Int32Array(rows.length).fill(-1);
  family.forEach((row, place) => (placeOf[row] = place));
  yield;
  const judgements = yield* eachInPieces(rows.length, (row) => {
    const place = placeOf[row]!;
    return judge(design, rows[row]!, tests[row]!, place < 0 ? null : { q: q[place]!, level: level[place]! });
  });
  const evidence = (row: number): RunEvidence | null => {
    const { spread } = tests[row]!;
    const place = placeOf[row]!;
    return place < 0 || spread === null ? null : { ...spread, level: level[place]! };
  };
  return { judgements, prior: used, evidence };
}

function* eachInPieces<T>(rows: number, of: (row: number) => T): Steps<T[]> {
  const list: T[] = [];
  yield* inPieces(
    rows,
    (first, end) => {
      for (let row = first; row < end; row++) list.push(of(row));
    },
    PIECE_ROWS,
  );
  return list;
}

interface JudgeResult {
  readonly judgements: readonly Judgement[];
  readonly prior: VariancePrior;
  /** Determines the number of runs that a row needs; null for rows outside the family, and if nothing varies. */
  readonly evidence: (row: number) => RunEvidence | null;
}

function controlOne(p: readonly number[]): TieredResult {
  const { q, level } = controlFamily(p);
  return { q, level: new Float64Array(p.length).fill(level) };
}

/** Returns whether a row has a test and enough samples for it. */
export const isTestable = (
  { leastSamples }: ComparisonDesign,
  { before, after }: RowEstimate,
  { p }: RowTest,
): boolean => p !== null && before.samples + after.samples >= leastSamples;

/** Returns a row's share of the weight of both sides; NaN if there is no weight. */
export const pooledShare = ({ before, after }: RowEstimate, whole: Whole): number =>
  (before.mean + after.mean) / (whole.before + whole.after);

/** Concludes about a row. `place` is its result within its family; null if it is in none. */
export function judge(
  design: ComparisonDesign,
  { before, after }: RowEstimate,
  test: RowTest,
  place: { readonly q: number; readonly level: number } | null,
): Judgement {
  const interval = place === null ? null : test.interval(place.level);
  return {
    before: before.mean,
    after: after.mean,
    delta: test.delta,
    relative: before.mean > 0 ? test.delta / before.mean : null,
    interval,
    level: interval === null ? null : place!.level,
    p: test.p,
    q: place === null ? null : place.q,
    method: test.method,
    verdict: verdictOf(design, test, place?.q ?? null),
    presence:
      before.samples === 0 && after.samples > 0
        ? 'only-after'
        : after.samples === 0 && before.samples > 0
          ? 'only-before'
          : 'both',
  };
}

function verdictOf({ isReplicated }: ComparisonDesign, { delta, p }: RowTest, q: number | null): Verdict {
  if (p === null) return delta === 0 ? 'noise' : 'unknown';
  if (q === null) return 'not-tested';
  if (delta === 0 || q > FALSE_DISCOVERY_RATE) return 'noise';
  if (!isReplicated) return 'suggestive';
  return delta > 0 ? 'grew' : 'shrank';
}
