import { controlTiers, FALSE_DISCOVERY_RATE } from './false-discovery.ts';
import { isTestable, pooledShare, type Whole } from './judge.ts';
import { estimateRow, type ComparisonDesign, type RowEstimate, type SideMeasures } from '../measure/measures.ts';
import type { RunEvidence } from './runs-needed.ts';
import { ANY_CHANGE, testRow, type Contrast, type RowTest, type TestMethod } from './test-row.ts';
import type { VariancePrior } from './variance-prior.ts';

/** One metric (self or total) of all functions. */
export interface JudgedMetric {
  readonly design: ComparisonDesign;
  readonly before: SideMeasures;
  readonly after: SideMeasures;
  readonly priorOf: (row: number) => VariancePrior;
  readonly whole: Whole;
}

/** What a test shows within its family. */
export interface FamilyResult {
  /** after − factor × before − offset, normalised. */
  readonly contrast: number;
  /**
   * Interval of the contrast at `level`, symmetric about it. Null if the row is not tested: too few samples on both
   * sides together, or its variation is unknown.
   */
  readonly interval: readonly [number, number] | null;
  /** Adjusted for the family, so that the interval excludes 0 exactly if `q` is 0.05 or less. Null like `interval`. */
  readonly level: number | null;
  readonly p: number | null;
  /** Null like `interval`. */
  readonly q: number | null;
  readonly method: TestMethod;
  /** 1 or −1: the whole interval is above or below 0. 0: it includes 0, or there is no interval. */
  readonly side: 1 | 0 | -1;
  /** Determines the number of runs needed; null if there is no interval or no variation. */
  readonly evidence: RunEvidence | null;
}

/** The judgement of one function within a family. */
export interface FamilyJudgement extends FamilyResult {
  readonly func: number;
  /** The function's share of its side, on the side where it is larger: 0 to 1, without a sign. */
  readonly share: number;
}

/**
 * Tests a contrast of some functions as a family of their own, with the tiers that all functions have (see
 * `controlTiers`). The result is in the order of `functions`.
 */
export function judgeFamily(
  { design, before, after, priorOf, whole }: JudgedMetric,
  functions: readonly number[],
  contrast: Contrast = ANY_CHANGE,
): FamilyJudgement[] {
  const rows = functions.map((func) => {
    if (!(func >= 0 && func < before.rows)) throw new RangeError(`function ${func} of ${before.rows}`);
    const estimate = estimateRow(design, before, after, func);
    return { func, estimate, test: testRow(design, estimate, priorOf(func), contrast) };
  });
  const tested = rows.filter(({ estimate, test }) => isTestable(design, estimate, test));
  const { q, level } = controlTiers(
    tested.map(({ test }) => test.p!),
    tested.map(({ estimate }) => pooledShare(estimate, whole)),
  );
  const places = new Map(tested.map((row, place) => [row, place]));
  return rows.map((row): FamilyJudgement => {
    const { func, estimate, test } = row;
    const place = places.get(row);
    const found = place === undefined ? null : { q: q[place]!, level: level[place]! };
    return { func, ...resultOf(test, found), share: largerShare(estimate, whole) };
  });
}

/** `found`: the test's place in its family; null: it has none. */
export function resultOf(test: RowTest, found: { readonly q: number; readonly level: number } | null): FamilyResult {
  const isFound = found !== null && found.q <= FALSE_DISCOVERY_RATE;
  return {
    contrast: test.delta,
    interval: found === null ? null : test.interval(found.level),
    level: found?.level ?? null,
    p: test.p,
    q: found?.q ?? null,
    method: test.method,
    side: !isFound || test.delta === 0 ? 0 : test.delta > 0 ? 1 : -1,
    evidence: found === null || test.spread === null ? null : { ...test.spread, level: found.level },
  };
}

function largerShare({ before, after }: RowEstimate, whole: Whole): number {
  const share = (part: number, all: number): number => (all === 0 ? 0 : Math.abs(part / all));
  return Math.max(share(before.mean, whole.before), share(after.mean, whole.after));
}
