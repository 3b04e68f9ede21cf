import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlFamily, controlTiers } from '#core/compare/statistics/false-discovery.ts';
import { judgeRows, type Judgement, type Verdict } from '#core/compare/statistics/judge.ts';
import {
  designComparison,
  estimateRow,
  type CaptureDesign,
  type SamplingVariances,
  type SideMeasures,
} from '#core/compare/measure/measures.ts';
import { testRow } from '#core/compare/statistics/test-row.ts';
import { NO_PRIOR } from '#core/compare/statistics/variance-prior.ts';
import '../../../support/sketch-profile.ts';

const capture: CaptureDesign = { host: 'h', exposure: 1, isTimed: false, isCount: true };

const counted = (value: Float64Array): SamplingVariances => ({ count: value, coarse: value, fine: value });

/** Makes a side from rows of values by capture; each value is also its count. */
function side(rows: readonly (readonly number[])[], options: Partial<CaptureDesign> = {}): SideMeasures {
  const captures = rows[0]!.map((): CaptureDesign => ({ ...capture, ...options }));
  const value = Float64Array.from(rows.flat());
  return { rows: rows.length, captures, value, sampling: counted(value), samples: value };
}

/** Makes a side without an estimate of the sampling variance. */
const plain = (rows: readonly (readonly number[])[]): SideMeasures => ({
  ...side(rows, { isCount: false }),
  sampling: null,
  samples: new Float64Array(rows.flat().length).fill(1000),
});

const compare = (before: SideMeasures, after: SideMeasures): Judgement[] =>
  judgeRows(designComparison(before.captures, after.captures), before, after).judgements.slice();

/** Tests the only row, without a family. */
function testOf(before: SideMeasures, after: SideMeasures) {
  const design = designComparison(before.captures, after.captures);
  return testRow(design, estimateRow(design, before, after, 0), NO_PRIOR);
}

describe("Welch's t", () => {
  // R: t.test(extra ~ group, sleep), with Student's sleep data.
  const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
  const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

  test('equals R', () => {
    const [row] = compare(plain([second]), plain([first]));
    expect(row).toMatchObject({ method: 'welch', verdict: 'noise', level: 0.95 });
    expect(row!.p).toBeCloseTo(0.079_394_14, 7);
    expect(row!.interval![0]).toBeCloseTo(-3.365_483_2, 6);
    expect(row!.interval![1]).toBeCloseTo(0.205_483_2, 6);
  });

  test('has no change relative to a negative value', () => {
    const [negative, positive] = [plain([[-600, -610, -620]]), plain([[590, 600, 610]])];
    expect(compare(negative, positive)[0]).toMatchObject({ verdict: 'grew', relative: null, presence: 'both' });
    expect(compare(negative, negative)[0]).toMatchObject({ verdict: 'noise', relative: null });
  });

  test('uses the sampling variance as a lower bound: three equal runs prove little', () => {
    const [floored] = compare(side([[20, 20, 20]]), side([[25, 25, 25]]));
    expect(floored!.verdict).toBe('noise');
    const [bare] = compare(plain([[20, 20, 20]]), plain([[25, 25, 26]]));
    expect(bare!.verdict).toBe('grew');
    expect(compare(plain([[20, 20, 20]]), plain([[25, 25, 25]]))[0]).toMatchObject({
      verdict: 'unknown',
      interval: null,
      p: null,
      q: null,
      level: null,
    });
  });

  test('needs ten samples, except of sums of samples', () => {
    const few = (value: SideMeasures, options: Partial<CaptureDesign>): SideMeasures => ({
      ...value,
      captures: value.captures.map((design) => ({ ...design, ...options })),
      samples: new Float64Array(3).fill(1),
    });
    const verdictOf = (options: Partial<CaptureDesign>): string =>
      compare(few(plain([[1000, 1010, 990]]), options), few(plain([[2000, 2010, 1990]]), options))[0]!.verdict;
    expect(verdictOf({ isCount: true })).toBe('not-tested');
    expect(verdictOf({ isCount: false, isTimed: true })).toBe('not-tested');
    expect(verdictOf({ isCount: false })).toBe('grew');
  });

  test('reports a clear change with its sign', () => {
    const rows = compare(
      side([
        [1000, 1010, 990],
        [800, 810, 790],
      ]),
      side([
        [800, 810, 790],
        [1000, 1010, 990],
      ]),
    );
    expect(rows.map(({ verdict }) => verdict)).toEqual(['shrank', 'grew']);
    expect(rows[0]!.relative).toBeCloseTo(-0.2);
  });
});

describe('one or two captures a side', () => {
  test('are maybe at most', () => {
    for (const runs of [1, 2]) {
      const [row] = compare(side([Array<number>(runs).fill(1000)]), side([Array<number>(5).fill(2000)]));
      expect(row).toMatchObject({ verdict: 'suggestive', method: 'within-run' });
      expect(row!.interval![0]).toBeGreaterThan(0);
    }
  });

  test('say nothing without counts or times', () => {
    expect(compare(plain([[10]]), plain([[20]]))[0]).toMatchObject({ verdict: 'unknown', interval: null });
    expect(compare(plain([[10]]), plain([[10]]))[0]).toMatchObject({ verdict: 'noise' });
  });
});

describe('a function that one side lacks', () => {
  test.each([
    [5, 0.0625],
    [6, 0.03125],
    [12, 2 * 0.5 ** 12],
  ])('%d samples at equal exposure', (samples, p) => {
    const [row] = compare(side([[0]]), side([[samples]]));
    expect(row!.p).toBeCloseTo(p, 12);
    expect(row).toMatchObject({ presence: 'only-after', relative: null, method: 'conditional-binomial' });
    expect(row!.verdict).toBe(samples >= 10 ? 'suggestive' : 'not-tested');
    expect(testOf(side([[0]]), side([[samples]])).interval(0.95)![0] > 0).toBe(p < 0.05);
  });

  test('takes exposures into account', () => {
    const before = side([[0]], { exposure: 9 });
    const after = side([[12]], { exposure: 1 });
    expect(compare(before, after)[0]!.p).toBeCloseTo(2 * 0.1 ** 12, 20);
    expect(compare(after, before)[0]).toMatchObject({ presence: 'only-before', verdict: 'suggestive', relative: -1 });
  });

  // Exact Poisson limits at 95 %: 3.69 of none, 0.025 to 5.57 of one, 0.24 to 7.22 of two.
  test.each([
    [1, 1, 5.57 - 1],
    [1, 1.001, 5.57 - 1],
    [1, 4, Math.hypot(1, 4 * 3.69)],
    [2, 4, Math.hypot(2 - 0.24, 4 * 3.69)],
  ])('%d samples in %d times the exposure have the interval of such counts', (samples, exposure, reach) => {
    const { method, interval } = testOf(side([[0]]), side([[samples]], { exposure }));
    const [low, high] = interval(0.95)!;
    expect(method).toBe('conditional-binomial');
    expect(high - samples).toBeCloseTo(reach, 1);
    expect(low + high).toBeCloseTo(2 * samples, 9);
  });

  test('has an interval that excludes 0 exactly if its p-value is small, and that no exposure makes absurd', () => {
    const exposure = fc.double({ min: 0.1, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), exposure, exposure, (samples, absent, present) => {
        const { p, interval } = testOf(side([[0]], { exposure: absent }), side([[samples]], { exposure: present }));
        const [low, high] = interval(0.95)!;
        expect(low > 0).toBe(p! < 0.05);
        const weight = Math.max(1, present / absent);
        expect(high - samples).toBeLessThan(10 * weight * Math.sqrt(samples));
      }),
    );
  });

  test('does not take a burst in one of three runs as proof', () => {
    expect(compare(side([[0, 0, 0]]), side([[0, 0, 40]]))[0]!.verdict).toBe('noise');
    const [even] = compare(side([[0, 0, 0]]), side([[13, 14, 13]]));
    expect(even).toMatchObject({ verdict: 'grew', method: 'welch' });
    // By counts alone p would be one in a million millions; captures are the replicates.
    expect(even!.p).toBeGreaterThan(1e-3);
    expect(compare(side([[0, 0, 0]]), side([[1, 1, 1]]))[0]).toMatchObject({ method: 'conditional-binomial' });
  });

  test('compares weights that are not counts by their variation', () => {
    const absent = { ...plain([[0, 0, 0]]), samples: new Float64Array(3) };
    expect(compare(absent, plain([[50, 51, 52]]))[0]).toMatchObject({
      method: 'welch',
      verdict: 'grew',
      presence: 'only-after',
    });
  });
});

describe('families', () => {
  // The example of Benjamini & Hochberg 1995, which has four discoveries.
  const paper = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];

  test('equal the paper', () => {
    const { q, discoveries, level } = controlFamily(paper);
    expect(discoveries).toBe(4);
    expect([...q].filter((one) => one <= 0.05)).toHaveLength(4);
    expect(q[3]).toBeCloseTo((0.0095 * 15) / 4, 12);
    expect(level).toBeCloseTo(1 - (0.05 * 4) / 15, 12);
    expect(controlFamily([])).toMatchObject({ discoveries: 0, level: 0.95 });
  });

  test('equal the definition: the minimum of p × tests ÷ rank over all higher ranks', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (p) => {
        const { q } = controlFamily(p);
        const sorted = [...p].sort((a, b) => a - b);
        p.forEach((one, place) => {
          const adjusted = sorted.map((other, rank) => (other < one ? Infinity : (other * p.length) / (rank + 1)));
          expect(q[place]).toBe(Math.min(1, ...adjusted));
        });
      }),
    );
  });

  test('spend four fifths of the rate on functions with at least 2 %, the rest on all others', () => {
    const p = [0.03, 0.9, 0.0001, 0.001, 0.9];
    const { q, level } = controlTiers(p, [0.5, 0.02, 0.019, 0.01, 0.001]);
    // The two upper tests share 4 %, and the three lower ones 1 %. A q of at most 5 % is a discovery.
    [(0.03 * 2) / 0.8, 0.9 / 0.8, (0.0001 * 3) / 0.2, ((0.001 * 3) / 0.2) * 0.5, 0.9 / 0.2].forEach((one, at) =>
      expect(q[at]).toBeCloseTo(Math.min(1, one), 12),
    );
    expect([...level].map((one) => Number(one.toFixed(6)))).toEqual([0.98, 0.98, 0.993333, 0.993333, 0.993333]);
    expect(controlTiers([], [])).toEqual({ q: new Float64Array(0), level: new Float64Array(0) });
  });

  test('contain only rows with ten pooled samples', () => {
    const rows = compare(side([[5], [1000]]), side([[4], [1000]]));
    expect(rows.map(({ q }) => q === null)).toEqual([true, false]);
    expect(rows[0]).toMatchObject({ verdict: 'not-tested', interval: null, level: null });
  });
});

const counts = fc.integer({ min: 0, max: 2000 });
const tables = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, before, after]) =>
    fc.tuple(
      fc.array(fc.array(counts, { minLength: before, maxLength: before }), { minLength: rows, maxLength: rows }),
      fc.array(fc.array(counts, { minLength: after, maxLength: after }), { minLength: rows, maxLength: rows }),
    ),
  );

describe('whatever the values', () => {
  test('has intervals and verdicts that agree', () => {
    fc.assert(
      fc.property(tables, ([before, after]) => {
        for (const { verdict, interval, delta, q, level } of compare(side(before), side(after))) {
          if (interval === null) {
            expect([verdict, q, level]).toEqual(['not-tested', null, null]);
            continue;
          }
          expect(interval[0]).toBeLessThanOrEqual(delta);
          expect(interval[1]).toBeGreaterThanOrEqual(delta);
          expect(interval[0] > 0).toBe(verdict === 'grew' || (verdict === 'suggestive' && delta > 0));
          expect(interval[1] < 0).toBe(verdict === 'shrank' || (verdict === 'suggestive' && delta < 0));
          expect(q! <= 0.05).toBe(verdict !== 'noise');
        }
      }),
    );
  });

  test('negates exactly when the sides are swapped', () => {
    const opposite: Partial<Record<Verdict, Verdict>> = { grew: 'shrank', shrank: 'grew' };
    fc.assert(
      fc.property(tables, ([before, after]) => {
        const forth = compare(side(before), side(after));
        const back = compare(side(after), side(before));
        forth.forEach((row, at) => {
          const other = back[at]!;
          expect(other.delta === -row.delta).toBe(true);
          expect([other.p, other.q, other.level, other.method]).toEqual([row.p, row.q, row.level, row.method]);
          expect(other.interval?.map((end) => 0 - end)).toEqual(row.interval?.toReversed().map((end) => end + 0));
          expect(other.verdict).toBe(opposite[row.verdict] ?? row.verdict);
        });
      }),
    );
  });
});

describe('hosts', () => {
  const on = (host: string | null): CaptureDesign => ({ ...capture, host });
  const values = (rows: readonly number[], hosts: readonly string[]): SideMeasures => ({
    ...side([rows]),
    captures: hosts.map(on),
  });

  test('are blocks, not replicates', () => {
    expect(designComparison(['a', 'b'].map(on), ['a', 'b'].map(on)).isReplicated).toBe(false);
    expect(designComparison(['a', 'a', 'a'].map(on), ['b', 'b', 'b'].map(on))).toMatchObject({
      isReplicated: false,
      sharesHost: false,
      unpairedHosts: ['a', 'b'],
    });
    expect(designComparison([on(null), on('a'), on('a')], [on('a'), on(null), on(null)]).isReplicated).toBe(true);
    // Host b is twice as fast. Within each host, only the change of 100 remains.
    const hosts = ['a', 'a', 'a', 'b', 'b', 'b'];
    const [row] = compare(
      values([2000, 2010, 1990, 1000, 1005, 995], hosts),
      values([2100, 2110, 2090, 1100, 1105, 1095], hosts),
    );
    expect(row!.delta).toBe(100);
    expect(row!.verdict).toBe('grew');
  });

  test('are compared host by host with one capture each', () => {
    const hosts = ['a', 'b', 'c', 'd'];
    const before = [1000, 2000, 4000, 8000];
    const changed = compare(values(before, hosts), values([1500, 2520, 4490, 8510], hosts));
    expect(changed[0]).toMatchObject({ method: 'paired', delta: 505, verdict: 'grew' });
    const same = compare(values(before, hosts), values([1010, 1990, 4030, 7980], hosts));
    expect(same[0]).toMatchObject({ method: 'paired', verdict: 'noise' });
    // The order does not matter, and an additional host on one side is left out.
    const other = compare(
      values([8000, 1000, 4000, 2000, 1], ['d', 'a', 'c', 'b', 'e']),
      values([1500, 2520, 4490, 8510], hosts),
    );
    expect(other).toEqual(changed);
    const back = compare(values([1500, 2520, 4490, 8510], hosts), values(before, hosts));
    expect(back[0]).toMatchObject({ delta: -505, p: changed[0]!.p, verdict: 'shrank' });
    // A function that only one of four hosts has is noise.
    expect(compare(values([0, 0, 0, 0], hosts), values([90, 0, 0, 0], hosts))[0]!.verdict).toBe('noise');
    expect(compare(values([0, 0, 0, 0], hosts), values([90, 85, 95, 92], hosts))[0]!.verdict).toBe('grew');
  });

  test('are left out if only one side has them', () => {
    const [row] = compare(values([100, 100, 100, 900], ['a', 'a', 'a', 'b']), values([100, 101, 99], ['a', 'a', 'a']));
    expect(row).toMatchObject({ before: 100, after: 100, verdict: 'noise' });
  });

  test('rejects a side without captures', () => {
    expect(() => designComparison([], [capture])).toThrow(RangeError);
  });
});

test('treats a row of zeros as noise', () => {
  const zero = side([[0, 0, 0]]);
  const design = designComparison(zero.captures, zero.captures);
  const estimate = estimateRow(design, zero, zero, 0);
  expect(testRow(design, estimate, NO_PRIOR)).toMatchObject({ delta: 0, p: 1 });
});
