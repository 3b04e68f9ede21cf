import { describe, expect, test } from 'vitest';
import {
  designComparison,
  estimateRow,
  type CaptureDesign,
  type SideMeasures,
} from '#core/compare/measure/measures.ts';
import { adviseRuns, type Advice } from '#core/compare/statistics/advise-runs.ts';
import { judgeRows, type Judgement } from '#core/compare/statistics/judge.ts';
import { MOST_RUNS, runsNeeded, smallestFound } from '#core/compare/statistics/runs-needed.ts';
import '../../../support/sketch-profile.ts';

const capture: CaptureDesign = { host: 'h', exposure: 1, isTimed: false, isCount: false };

/** Makes a side from rows of values by capture, without an estimate of the sampling variance. */
const side = (rows: readonly (readonly number[])[], design: Partial<CaptureDesign> = {}): SideMeasures => ({
  rows: rows.length,
  captures: rows[0]!.map(() => ({ ...capture, ...design })),
  value: Float64Array.from(rows.flat()),
  sampling: null,
  samples: new Float64Array(rows.flat().length).fill(1000),
});

/** Makes a side of counts, so that even one capture a side gives the sampling variance. */
const counted = (rows: readonly (readonly number[])[]): SideMeasures => {
  const measures = side(rows, { isCount: true });
  const { value } = measures;
  return { ...measures, sampling: { count: value, coarse: value, fine: value }, samples: value };
};

interface Options {
  /** Total of each side, including the family's other rows. */
  readonly whole?: { readonly before: number; readonly after: number };
  readonly changed?: Partial<Judgement>;
  readonly unevenness?: number;
}

function advise(
  before: SideMeasures,
  after: SideMeasures,
  { whole, changed = {}, unevenness = 0 }: Options = {},
): Advice | null {
  const design = { ...designComparison(before.captures, after.captures), unevenness };
  const { judgements, evidence } = judgeRows(design, before, after, whole === undefined ? {} : { whole });
  return adviseRuns(design, estimateRow(design, before, after, 0), { ...judgements[0]!, ...changed }, evidence(0), 30);
}

describe('advice', () => {
  test('names the runs for the observed change, and for 5 %', () => {
    // The deviation is 5 % of the value. R: power.t.test(delta = 50, sd = 50, power = 0.8) has n = 16.71.
    const before = side([[950, 1000, 1050]]);
    const after = side([[970, 1020, 1070]]);
    expect(advise(before, after)).toMatchObject({
      seen: { change: 0.02, runs: 100, moreRuns: 97 },
      small: { change: 0.05, runs: 17, moreRuns: 14 },
      level: 0.95,
      seconds: 30,
      within: null,
      between: 2500,
      moreRunsNotLonger: true,
    });
  });

  test('adds the allowance for an uneven slowdown, and gives none for what more runs do not decide', () => {
    const before = side([[950, 1000, 1050]]);
    const after = side([[1070, 1120, 1170]]);
    const even = advise(before, after)!;
    // Of +12 %, 7 % may be uneven: as many runs as for a change of 5 %.
    const uneven = advise(before, after, { unevenness: 0.07, changed: { verdict: 'noise' } })!;
    expect(uneven.seen!.runs).toBe(even.small.runs);
    expect(uneven.small.runs).toBeNull();
    expect(uneven.smallest).toBeCloseTo(even.smallest! + 0.07);
    expect(advise(before, after, { changed: { verdict: 'not-decided' } })).toBeNull();
  });

  test('states the hidden change instead of a number above a hundred', () => {
    const before = side([[700, 1000, 1300]]);
    const after = side([[705, 1005, 1305]]);
    const { seen, small, smallest } = advise(before, after)!;
    expect([seen, small]).toEqual([
      { change: 0.005, runs: null, moreRuns: null },
      { change: 0.05, runs: null, moreRuns: null },
    ]);
    // The difference has a deviation of 245, and t(0.975, 4) + t(0.8, 4) = 3.717.
    expect(smallest).toBeCloseTo((244.949 * 3.7175) / 1000, 3);
  });

  test('takes the family into account', () => {
    const many = (first: number, rows: number): SideMeasures =>
      side(Array.from({ length: rows }, (_, row) => [-20, 0, 20].map((by) => by + (row === 0 ? first : 1000))));
    const [one, forty] = [1, 40].map((rows) =>
      advise(many(1000, rows), many(1050, rows), { whole: { before: 1000 * rows, after: 1000 * rows + 50 } }),
    );
    expect(forty!.level).toBeGreaterThan(one!.level);
    expect(forty!.small.runs!).toBeGreaterThan(one!.small.runs!);
    expect(forty!.smallest!).toBeGreaterThan(one!.smallest!);
  });

  test('has enough runs for a change that is found', () => {
    const advice = advise(side([[990, 1000, 1010]]), side([[1990, 2000, 2010]]))!;
    expect(advice.seen).toEqual({ change: 1, runs: 3, moreRuns: 0 });
    expect(advice.small.moreRuns).toBeGreaterThanOrEqual(0);
  });

  test('asks for more runs if the change is not found', () => {
    // t(0.975, 4) × 8.165 = 22.7.
    for (const by of [5, 10, 15, 20, 22, 23, 24]) {
      const advice = advise(side([[990, 1000, 1010]]), side([[990 + by, 1000 + by, 1010 + by]]))!;
      expect(advice.seen!.moreRuns! > 0).toBe(by < 22.7);
    }
  });

  test('suggests longer runs if sampling dominates the variance', () => {
    const calm = counted([[10_000, 10_010, 9990]]);
    expect(advise(calm, calm)).toMatchObject({ seen: null, moreRunsNotLonger: false, between: 0 });
  });

  test('asks for at least three runs with one run a side, without knowing the variance between runs', () => {
    const advice = advise(counted([[10_000]]), counted([[20_000]]))!;
    expect(advice).toMatchObject({ seen: { change: 1, runs: 3, moreRuns: 2 }, between: null, smallest: null });
  });

  test('is absent without a value before, if more runs can’t help, and if nothing varies', () => {
    const before = side([[990, 1000, 1010]]);
    expect(advise(side([[0, 0, 0]]), before)).toBeNull();
    expect(advise(before, before, { changed: { withheld: 'truncated stacks' } })).toBeNull();
    expect(advise(before, { ...before, captures: before.captures.map((of) => ({ ...of, host: 'other' })) })).toBeNull();
    const same = side([[5, 5, 5]]);
    expect(advise(same, same)).toBeNull();
  });
});

test('names the number of runs that finds the change, while one run less does not', () => {
  const { captures } = side([[1, 2, 3]]);
  const design = designComparison(captures, captures);
  const evidence = { deviation: 10, freedom: 4, level: 0.99 };
  const reached = smallestFound(design, evidence);
  expect(runsNeeded(design, evidence, reached * 1.001, 3)).toBe(3);
  expect(runsNeeded(design, evidence, reached * 0.999, 3)).toBe(4);
  expect(runsNeeded(design, evidence, reached / 1000, 3)).toBeNull();
  expect(runsNeeded(design, evidence, reached, MOST_RUNS + 1)).toBeNull();
});
