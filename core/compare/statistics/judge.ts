import { controlFamily, controlTiers, FALSE_DISCOVERY_RATE, type TieredResult } from './false-discovery.ts';
import { estimateRow, type ComparisonDesign, type RowEstimate, type SideMeasures } from '../measure/measures.ts';
import type { RunEvidence } from './runs-needed.ts';
import { testRow, type TestMethod, type RowTest } from './test-row.ts';
import { estimatePrior, type VariancePrior } from './variance-prior.ts';

/**
 * grew, shrank: the replicates show it. suggestive: it stands out of what these runs alone vary, which is no proof. noise: it does not.
 * unknown: nothing tells how much the value varies.
 */
export type Verdict = 'grew' | 'shrank' | 'suggestive' | 'noise' | 'unknown';

/** Why a verdict is withheld though there is a test; its word stands behind *unknown*. */
export const WITHHELD = ['no symbol', 'truncated stacks'] as const;
export type Withheld = (typeof WITHHELD)[number];

export type Presence = 'both' | 'only-before' | 'only-after';

/** Before, after and what can be said of their difference; normalised weights. */
export interface Judgement {
  readonly before: number;
  readonly after: number;
  readonly delta: number;
  /** delta ÷ before; null where before is 0. */
  readonly relative: number | null;
  readonly interval: readonly [number, number] | null;
  /** Of the interval: 0.95, or higher where the row is a discovery of its family. Null without an interval. */
  readonly level: number | null;
  readonly p: number | null;
  /** Null for rows that are in no family: too few samples, or not tested. */
  readonly q: number | null;
  readonly method: TestMethod;
  readonly verdict: Verdict;
  /** Why the verdict is unknown though there is a test. Absent: it is not withheld. */
  readonly withheld?: Withheld;
  readonly presence: Presence;
}

/** Pooled samples from which a row is tested. */
export const LEAST_POOLED_SAMPLES = 10;

export interface JudgeOptions {
  /** Rows that may be tested, where they have enough samples; absent: all. */
  readonly isCandidate?: (row: number) => boolean;
  /** What other rows tell of variances; absent: these rows among themselves. */
  readonly prior?: VariancePrior;
  /** Everything varies far beyond sampling, see {@link varyTogether}. */
  readonly isCommon?: boolean;
  /** Everything's means: functions are tested in two tiers, by their part of it. Absent: one family without tiers. */
  readonly whole?: Whole;
}

/** Normalised weight of everything on either side. */
export interface Whole {
  readonly before: number;
  readonly after: number;
}

/** Judges all rows as one family of tests. */
export function judgeRows(
  design: ComparisonDesign,
  before: SideMeasures,
  after: SideMeasures,
  { isCandidate = () => true, prior, isCommon = false, whole }: JudgeOptions = {},
): JudgeResult {
  const rows = Array.from({ length: before.rows }, (_, row) => estimateRow(design, before, after, row));
  const used = prior ?? estimatePrior(design, rows, isCommon);
  const tests = rows.map((row) => testRow(design, row, used));
  const family = [...rows.keys()].filter((row) => isTestable(rows[row]!, tests[row]!) && isCandidate(row));
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
  const judgements = rows.map((row, at) => {
    const place = placeOf[at]!;
    return judge(design, row, tests[at]!, place < 0 ? null : { q: q[place]!, level: level[place]! });
  });
  const evidence = (row: number): RunEvidence | null => {
    const { spread } = tests[row]!;
    const place = placeOf[row]!;
    return place < 0 || spread === null ? null : { ...spread, level: level[place]! };
  };
  return { judgements, prior: used, evidence };
}

export interface JudgeResult {
  readonly judgements: readonly Judgement[];
  readonly prior: VariancePrior;
  /** What the runs a row needs follow from; null of rows in no family, and where nothing varies. */
  readonly evidence: (row: number) => RunEvidence | null;
}

function controlOne(p: readonly number[]): TieredResult {
  const { q, level } = controlFamily(p);
  return { q, level: new Float64Array(p.length).fill(level) };
}

/** Whether a test tells anything, of as many samples as it takes. */
export const isTestable = ({ before, after }: RowEstimate, { p }: RowTest): boolean =>
  p !== null && before.samples + after.samples >= LEAST_POOLED_SAMPLES;

/** A row's part of the weight of both sides; NaN where there is none. */
export const pooledShare = ({ before, after }: RowEstimate, whole: Whole): number =>
  (before.mean + after.mean) / (whole.before + whole.after);

/** `place`: what the row's family says of it; null where it is in none. */
function judge(
  design: ComparisonDesign,
  { before, after }: RowEstimate,
  test: RowTest,
  place: { readonly q: number; readonly level: number } | null,
): Judgement {
  const isDiscovery = place !== null && place.q <= FALSE_DISCOVERY_RATE;
  const shownLevel = isDiscovery ? place.level : 1 - FALSE_DISCOVERY_RATE;
  const interval = test.interval(shownLevel);
  return {
    before: before.mean,
    after: after.mean,
    delta: test.delta,
    relative: before.mean === 0 ? null : test.delta / before.mean,
    interval,
    level: interval === null ? null : shownLevel,
    p: test.p,
    q: place === null ? null : place.q,
    method: test.method,
    verdict: verdictOf(design, test, isDiscovery),
    presence:
      before.samples === 0 && after.samples > 0
        ? 'only-after'
        : after.samples === 0 && before.samples > 0
          ? 'only-before'
          : 'both',
  };
}

function verdictOf({ isReplicated }: ComparisonDesign, { delta, p }: RowTest, isDiscovery: boolean): Verdict {
  if (delta === 0) return 'noise';
  if (p === null) return 'unknown';
  if (!isDiscovery) return 'noise';
  if (!isReplicated) return 'suggestive';
  return delta > 0 ? 'grew' : 'shrank';
}
