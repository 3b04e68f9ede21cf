import { controlFamily, FALSE_DISCOVERY_RATE } from './false-discovery.ts';
import { estimateRow, type ComparisonDesign, type RowEstimate, type SideMeasures } from './measures.ts';
import { testRow, type Method, type RowTest } from './test-row.ts';
import { estimatePrior, type VariancePrior } from './variance-prior.ts';

/**
 * grew, shrank: the replicates show it. suggestive: it stands out of what these runs alone vary, which is no proof. noise: it does not.
 * unknown: nothing tells how much the value varies.
 */
export type Verdict = 'grew' | 'shrank' | 'suggestive' | 'noise' | 'unknown';

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
  readonly method: Method;
  readonly verdict: Verdict;
  readonly presence: Presence;
}

/** Pooled samples from which a row is tested. */
export const LEAST_POOLED_SAMPLES = 10;

/**
 * Judges all rows as one family of tests. `isCandidate`: rows that may be tested, where they have enough samples. `prior`: what other rows
 * tell of variances; null: these rows among themselves.
 */
export function judgeRows(
  design: ComparisonDesign,
  before: SideMeasures,
  after: SideMeasures,
  isCandidate: (row: number) => boolean = () => true,
  prior: VariancePrior | null = null,
): JudgedRows {
  const sides = Array.from({ length: before.rows }, (_, row) => estimateRow(design, before, after, row));
  const used = prior ?? estimatePrior(design, sides);
  const tests = sides.map((side) => testRow(design, side, used));
  const family = sides.flatMap((side, row) =>
    tests[row]!.p !== null && pooledSamples(side) >= LEAST_POOLED_SAMPLES && isCandidate(row) ? [row] : [],
  );
  const { q, level } = controlFamily(family.map((row) => tests[row]!.p!));
  const qOfRow = new Float64Array(before.rows).fill(Number.NaN);
  family.forEach((row, place) => (qOfRow[row] = q[place]!));
  return {
    judgements: sides.map((side, row) => judge(design, side, tests[row]!, qOfRow[row]!, level)),
    prior: used,
  };
}

export interface JudgedRows {
  readonly judgements: readonly Judgement[];
  readonly prior: VariancePrior;
}

const pooledSamples = ({ before, after }: RowEstimate): number => before.samples + after.samples;

/** `q`: NaN where the row is in no family. */
function judge(
  design: ComparisonDesign,
  { before, after }: RowEstimate,
  test: RowTest,
  q: number,
  level: number,
): Judgement {
  const isDiscovery = q <= FALSE_DISCOVERY_RATE;
  const shownLevel = isDiscovery ? level : 1 - FALSE_DISCOVERY_RATE;
  const interval = test.interval(shownLevel);
  return {
    before: before.mean,
    after: after.mean,
    delta: test.delta,
    relative: before.mean === 0 ? null : test.delta / before.mean,
    interval,
    level: interval === null ? null : shownLevel,
    p: test.p,
    q: Number.isNaN(q) ? null : q,
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
