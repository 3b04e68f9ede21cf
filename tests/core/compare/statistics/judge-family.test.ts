import { describe, expect, test } from 'vitest';
import { judgeFamily, type JudgedMetric } from '#core/compare/statistics/judge-family.ts';
import {
  designComparison,
  type CaptureDesign,
  type SamplingVariances,
  type SideMeasures,
} from '#core/compare/measure/measures.ts';
import { NO_PRIOR } from '#core/compare/statistics/variance-prior.ts';

const capture: CaptureDesign = { host: 'h', exposure: 1, isTimed: false, isCount: true };

const counted = (value: Float64Array): SamplingVariances => ({ count: value, coarse: value, fine: value });

function side(rows: readonly (readonly number[])[]): SideMeasures {
  const value = Float64Array.from(rows.flat());
  return { rows: rows.length, captures: rows[0]!.map(() => capture), value, sampling: counted(value), samples: value };
}

function metric(
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
  whole = 10_000,
): JudgedMetric {
  const [left, right] = [side(before), side(after)];
  const design = designComparison(left.captures, right.captures);
  return { design, before: left, after: right, priorOf: () => NO_PRIOR, whole: { before: whole, after: whole } };
}

const round = (interval: readonly [number, number] | null): number[] | null => interval && interval.map(Math.round);

describe('functions that form a separate family', () => {
  const grown = metric(
    [
      [1000, 1010, 990],
      [900, 920, 910],
      [2, 2, 2],
      [100, 90, 110],
    ],
    [
      [1500, 1510, 1490],
      [1060, 1050, 1040],
      [1, 1, 0],
      [101, 92, 109],
    ],
  );

  test('are tested by their own number, in two tiers', () => {
    const [alone] = judgeFamily(grown, [1]);
    const both = judgeFamily(grown, [1, 0]);
    const all = judgeFamily(grown, [0, 1, 2, 3]);
    expect(alone).toMatchObject({ func: 1, contrast: 140, level: 0.96, side: 1 });
    expect(alone!.q).toBeCloseTo(alone!.p! / 0.8, 15);
    // Both of two tests are discoveries, so the level remains.
    expect(both.map(({ func, level, side: where }) => [func, level, where])).toEqual([
      [1, 0.96, 1],
      [0, 0.96, 1],
    ]);
    // Eight samples are too few for a family. The last function has 1 % of everything, which puts it alone in the lower
    // tier.
    expect(all[2]).toMatchObject({ q: null, level: null, interval: null, side: 0 });
    expect(all[3]).toMatchObject({ level: 0.99, side: 0 });
    expect(all[3]!.interval![0]).toBeLessThan(0);
    expect(all.map(({ share }) => share)).toEqual([0.15, 0.105, 0.0002, 302 / 3 / 10_000]);
    expect(judgeFamily(grown, [])).toEqual([]);
    expect(() => judgeFamily(grown, [4])).toThrow(RangeError);
  });

  test('are compared with a factor of their former value', () => {
    const at = (factor: number) => judgeFamily(grown, [0], { factor, offset: 0 })[0]!;
    expect(at(1.3)).toMatchObject({ contrast: 200, side: 1 });
    expect(at(1.48)).toMatchObject({ side: 0 });
    expect(at(1.8)).toMatchObject({ contrast: -300, side: -1 });
    // The variance before is multiplied by the square of the factor: 1000 ÷ 3 × 1.3² + 1500 ÷ 3. Counts set this
    // minimum.
    const [low, high] = at(1.3).interval!;
    const [plainLow, plainHigh] = judgeFamily(grown, [0])[0]!.interval!;
    expect((high - low) / (plainHigh - plainLow)).toBeCloseTo(Math.sqrt((1690 + 1500) / 2500), 1);
  });

  test('are compared with a difference', () => {
    const at = (offset: number) => judgeFamily(grown, [0], { factor: 1, offset })[0]!;
    expect(at(0)).toEqual(judgeFamily(grown, [0])[0]);
    expect(at(300)).toMatchObject({ contrast: 200, side: 1 });
    expect(at(490)).toMatchObject({ contrast: 10, side: 0 });
    expect(round(at(300).interval)).toEqual(round(at(0).interval)!.map((end) => end - 300));
  });

  test('exceed any factor if they are new and grew, and are below it if they are gone', () => {
    const found = metric([[0, 0, 0]], [[300, 310, 290]]);
    expect(judgeFamily(found, [0], { factor: 50, offset: 0 })[0]).toEqual(judgeFamily(found, [0])[0]);
    expect(judgeFamily(found, [0])[0]!.side).toBe(1);
    const lost = metric([[300, 310, 290]], [[0, 0, 0]]);
    expect(judgeFamily(lost, [0], { factor: 0.5, offset: 0 })[0]).toMatchObject({ side: -1, contrast: -150 });
    const rare = metric([[0, 0, 0]], [[0, 0, 12]]);
    expect(judgeFamily(rare, [0], { factor: 1.05, offset: 0 })[0]!.side).toBe(0);
  });

  test('are compared with a factor host by host, too', () => {
    const hosts = (values: readonly number[]): SideMeasures => ({
      ...side([values]),
      captures: ['a', 'b', 'c'].map((host) => ({ ...capture, host })),
    });
    const [before, after] = [hosts([1000, 4000, 9000]), hosts([1510, 5990, 13_520])];
    const paired: JudgedMetric = {
      design: designComparison(before.captures, after.captures),
      before,
      after,
      priorOf: () => NO_PRIOR,
      whole: { before: 1e5, after: 1e5 },
    };
    // The differences of about 500, 2000 and 4500 vary between hosts; what exceeds a factor of 1.5 does not.
    expect(judgeFamily(paired, [0])[0]).toMatchObject({ method: 'paired', side: 0 });
    expect(judgeFamily(paired, [0], { factor: 1.2, offset: 0 })[0]!.interval![1]).toBeGreaterThan(0);
    expect(judgeFamily(paired, [0], { factor: 2, offset: 0 })[0]!.contrast).toBeCloseTo(-2326.7, 1);
  });
});
