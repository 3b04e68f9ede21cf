import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import type { SideMeasures } from '#core/compare/measure/measures.ts';
import { mergeReplicates } from '#core/compare/measure/side-measures.ts';
import type { Verdict } from '#core/compare/statistics/judge.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { maybeReason, runCounts } from '#core/compare/verdict-words.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { naiveSelf, naiveTotal, sum, weightOf } from '../../support/naive-analysis.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';
import { framedSamples, profileOfFrames } from '../analyze/framed-samples.ts';
import { captureOf, compareRaw } from './captures.ts';
import { CALM, judgeSides, normal, randomOf, simulateSide, zipf } from './simulate.ts';

const samplesType = 0 as ValueTypeIndex;
const weightType = 1 as ValueTypeIndex;

const sketched = (samples: readonly SampleSketch[], valueType = weightType): ComparedCapture =>
  captureOf(profileFromSketch(samples), {}, valueType);

const nameOf = ({ matched }: Comparison, func: number): string => functionRef(matched.table, func).name;

const functionsOf = ({ matched }: Comparison): number[] => [...matched.table.functions.name.keys()];

describe('whatever the samples', () => {
  test('equals a count over the list of samples, and deltas add up', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, sketches, async (before, after) => {
        const comparison = await compareRaw([sketched(before)], [sketched(after)]);
        for (const func of functionsOf(comparison)) {
          const name = nameOf(comparison, func);
          const [self, total] = [comparison.self[func]!, comparison.total[func]!];
          expect([self.before, self.after]).toEqual([naiveSelf(before, name), naiveSelf(after, name)]);
          expect([total.before, total.after]).toEqual([naiveTotal(before, name), naiveTotal(after, name)]);
          expect(total.delta).toBe(total.after - total.before);
        }
        const withoutStack = (list: readonly SampleSketch[]) =>
          weightOf(list.filter(({ stack }) => stack.length === 0));
        const selfDeltas = sum(comparison.self.map(({ delta }) => delta));
        expect(comparison.whole.delta).toBe(selfDeltas + withoutStack(after) - withoutStack(before));
        expect(comparison.whole.delta).toBe(weightOf(after) - weightOf(before));
      }),
    );
  });

  test('finds no difference between a profile and itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        sketches,
        fc.constantFrom('raw', 'share'),
        fc.integer({ min: 1, max: 4 }),
        async (samples, kind, runs) => {
          const side = Array.from({ length: runs }, () => sketched(samples, samplesType));
          const comparison = await compareRaw(side, side, kind);
          for (const { delta, verdict, relative } of [...comparison.self, ...comparison.total, comparison.whole]) {
            expect(delta).toBe(0);
            expect(['noise', 'not-tested']).toContain(verdict);
            expect(relative === null || relative === 0).toBe(true);
          }
        },
      ),
    );
  });

  test('negates when the sides are swapped', async () => {
    const opposite: Partial<Record<Verdict, Verdict>> = { grew: 'shrank', shrank: 'grew' };
    await fc.assert(
      fc.asyncProperty(
        fc.array(sketches, { minLength: 1, maxLength: 3 }),
        fc.array(sketches, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('raw', 'share'),
        async (before, after, kind) => {
          const captures = [before, after].map((side) => side.map((one) => sketched(one)));
          const forth = await compareRaw(captures[0]!, captures[1]!, kind);
          const back = await compareRaw(captures[1]!, captures[0]!, kind);
          const places = new Map(functionsOf(back).map((func) => [nameOf(back, func), func]));
          for (const func of functionsOf(forth)) {
            for (const column of ['self', 'total'] as const) {
              const [one, other] = [forth[column][func]!, back[column][places.get(nameOf(forth, func))!]!];
              expect(other.delta === -one.delta).toBe(true);
              expect([other.p, other.q]).toEqual([one.p, one.q]);
              expect(other.verdict).toBe(opposite[one.verdict] ?? one.verdict);
            }
          }
        },
      ),
    );
  });
});

test('a function of JavaScript is one across its tiers, in sums and once a stack in totals', async () => {
  const side = (pid: number, ...lines: string[]): ComparedCapture => {
    const inMap = (frame: string): string => `/tmp/perf-${pid}.map!JS:${frame} file:///app.mjs:${pid}:3`;
    const samples = framedSamples(...lines).map(({ stack, weight }) => ({ stack: stack.map(inMap), weight }));
    return captureOf(profileOfFrames(samples));
  };
  const comparison = await compareRaw(
    [side(1, '~f 3', '~f;^f 4', '~g;~f 5', '~g 7')],
    [side(2, '*f 6', '+f;*f 2', '*g;*f 8', '+g 1')],
  );
  const rows = functionsOf(comparison).map((func) => {
    const [self, total] = [comparison.self[func]!, comparison.total[func]!];
    return [nameOf(comparison, func), self.before, self.after, total.before, total.after];
  });
  expect(rows).toEqual([
    ['f file:///app.mjs', 3 + 4 + 5, 6 + 2 + 8, 12, 16],
    ['g file:///app.mjs', 7, 1, 5 + 7, 8 + 1],
  ]);
  expect([comparison.matched.onlyBefore, comparison.matched.onlyAfter]).toEqual([[], []]);
});

describe('one capture a side', () => {
  const repeat = (name: string, times: number): SampleSketch[] =>
    Array.from({ length: times }, (_, at) => ({ stack: ['main', name], weight: 8, time: at * 10 }));

  test('gives maybe at most, and unknown for bytes without times', async () => {
    const before = [...repeat('f', 100), ...repeat('g', 100)];
    const after = [...repeat('f', 300), ...repeat('g', 100)];
    const timed = await compareRaw([sketched(before)], [sketched(after)]);
    const f = functionsOf(timed).find((func) => nameOf(timed, func) === 'f')!;
    expect(timed.self[f]).toMatchObject({ verdict: 'suggestive', method: 'within-run', relative: 2 });
    expect(timed.warnings.map(({ code }) => code)).toEqual(['within-this-run-only']);
    const timeless = (list: readonly SampleSketch[]) => sketched(list.map(({ stack, weight }) => ({ stack, weight })));
    const bytes = await compareRaw([timeless(before)], [timeless(after)]);
    expect(bytes.self[f]).toMatchObject({ verdict: 'unknown', interval: null });
    expect(timed.advice('self', f)).toMatchObject({ seconds: null, between: null });
    expect(() => timed.advice('self', 99)).toThrow(RangeError);
  });

  test('is less certain for samples that arrive in bursts than for evenly spread ones', async () => {
    const even = repeat('f', 80).map((sample, at) => ({ ...sample, time: at }));
    const burst = repeat('f', 80).map((sample, at) => ({ ...sample, time: at - (at % 5) }));
    const reach = async (samples: readonly SampleSketch[]) => {
      const both = await compareRaw([sketched(samples, samplesType)], [sketched(samples, samplesType)]);
      return both.self.at(-1)!.interval![1];
    };
    // The interval of 80 counts a side, with the degrees of freedom of fine blocks.
    // At the level of a tier with one function.
    expect(await reach(even)).toBeCloseTo(2.119 * Math.sqrt(160) * 0.985, 0);
    expect(await reach(burst)).toBeGreaterThan(1.5 * (await reach(even)));
  });

  const list = (f: number, g: number, times: boolean): SampleSketch[] =>
    Array.from({ length: f + g }, (_, at) => ({
      stack: [at < f ? 'f' : 'g'],
      weight: 1,
      ...(times ? { time: at } : {}),
    }));

  test('has shares as certain as a binomial count with one more observation', async () => {
    const side = [sketched(list(200, 800, false), samplesType)];
    const { self, whole } = await compareRaw(side, side, 'share');
    // 2.326 × √(2 × s × (1 − s) ÷ 1,002), with s = 201 ÷ 1,002, at the 98 % of a tier with two functions.
    const share = 201 / 1002;
    expect(self[0]!.interval![1]).toBeCloseTo(2.326_348 * Math.sqrt((2 * share * (1 - share)) / 1002), 6);
    expect(whole.interval).toEqual([0, 0]);
  });

  test.each([true, false])('does not take five samples of five as proof of 100 %%; with times: %s', async (times) => {
    const before = [sketched(list(5, 0, times), samplesType)];
    const after = [sketched(list(9, 3, times), samplesType)];
    const { self, total } = await compareRaw(before, after, 'share');
    for (const judgement of [self[0]!, total[0]!]) {
      expect(judgement).toMatchObject({ before: 1, after: 0.75, verdict: 'noise' });
      expect(judgement.interval![1]).toBeGreaterThan(0);
    }
  });
});

test('reports that sums beyond 2^53 are rounded', async () => {
  const huge = sketched([
    { stack: ['f'], weight: Number.MAX_SAFE_INTEGER, time: 0 },
    { stack: ['g'], weight: 1, time: 1 },
  ]);
  const small = sketched([{ stack: ['f'], weight: 1, time: 0 }]);
  const codes = async (before: ComparedCapture, after: ComparedCapture) =>
    (await compareRaw([before], [after])).warnings.map(({ code }) => code);
  expect(await codes(small, huge)).toContain('rounded-sums');
  expect(await codes(small, small)).not.toContain('rounded-sums');
});

describe('captures of one run of a load test', () => {
  /** Of four workers with 4, 3, 2 and 1 of ten parts of the answers, in each run the weights of f. */
  const runs = (side: string, ...weights: (readonly number[])[]): ComparedCapture[] =>
    weights.flatMap((own, run) =>
      own.map((weight, worker) =>
        captureOf(profileOfFrames(framedSamples(`f ${weight}`)), {
          requests: 10 * (4 - worker),
          loadRun: `${side}@50 run ${run + 1}`,
        }),
      ),
    );

  test('are one replicate: their weight together ÷ their requests together', async () => {
    const before = runs('a', [40, 30, 20, 10], [80, 60, 40, 30], [50, 40, 30, 30]);
    const after = runs('b', [80, 60, 40, 20], [80, 60, 40, 40], [90, 60, 50, 30]);
    const comparison = await compareRaw(before, after, 'per-request');
    // 100, 210, 150 and 200, 220, 230 for 100 requests each.
    expect(Array.from(comparison.metrics.self.before.value)).toEqual([
      expect.closeTo(1, 12),
      expect.closeTo(2.1, 12),
      expect.closeTo(1.5, 12),
    ]);
    expect(comparison.whole.before).toBeCloseTo(4.6 / 3, 12);
    expect(comparison.whole.after).toBeCloseTo(6.5 / 3, 12);
    expect(runCounts(comparison.design)).toEqual({ before: 3, after: 3 });
    const tree = buildDeltaTree(comparison);
    expect([tree.before.total[0], tree.after.total[0]]).toEqual([
      expect.closeTo(4.6 / 3, 12),
      expect.closeTo(6.5 / 3, 12),
    ]);
    expect(sum([...comparison.before.parts])).toBeCloseTo(1, 12);
  });

  test('do not make a verdict certain, and say how they count', async () => {
    const { design, normalised } = await compareRaw(
      runs('a', [40, 30, 20, 10]),
      runs('b', [80, 60, 40, 20]),
      'per-request',
    );
    expect(maybeReason(design, runCounts(design))).toBe('1 run a side');
    expect(normalised.formula).toContain('captures of one run of the load are one;');
  });

  test('show no change of a program against itself whose runs vary as a whole, unlike captures one by one', () => {
    const random = randomOf(49);
    const side = () => {
      const factors = [1, 2, 3].map(() => Math.exp(0.1 * normal(random)));
      return simulateSide({ ...CALM, rates: zipf(12, 600), tilt: (_, capture) => factors[capture >> 2]! }, 12, random);
    };
    const replicates = [0, 1, 2].map((run) => [0, 1, 2, 3].map((worker) => 4 * run + worker));
    const merge = (of: SideMeasures) => mergeReplicates(of, replicates, new Float64Array(12).fill(1 / 4));
    const merged = ({ self, total, whole }: ReturnType<typeof side>) => ({
      self: merge(self),
      total: merge(total),
      whole: merge(whole),
    });
    const found = { runs: 0, captures: 0 };
    const hasFalse = ({ self, total }: ReturnType<typeof judgeSides>): boolean =>
      [...self, ...total].some(({ verdict }) => verdict === 'grew' || verdict === 'shrank');
    for (let at = 0; at < 100; at++) {
      const [before, after] = [side(), side()];
      found.captures += Number(hasFalse(judgeSides(before, after)));
      found.runs += Number(hasFalse(judgeSides(merged(before), merged(after))));
    }
    // 5 % and two standard errors of 100.
    expect(found.runs).toBeLessThan(10);
    expect(found.captures).toBeGreaterThan(20);
  });
});

describe('a range of time', () => {
  const samples = Array.from({ length: 100 }, (_, at) => ({ stack: ['f'], weight: 1, time: at * 1e8 }));
  const within = (start: number, end: number): ComparedCapture => {
    const whole = captureOf(
      profileFromSketch(samples),
      { durationSeconds: 10, requests: 50, cpuSeconds: 5 },
      samplesType,
    );
    return { ...whole, selection: { ...whole.selection, timeRange: { start, end } } };
  };

  test('divides by its own length', async () => {
    const comparison = await compareRaw([within(0, 2e9)], [within(5e9, Infinity)], null);
    expect(comparison.normalised).toMatchObject({ kind: 'per-second', divisors: ['before 1: 2 s', 'after 1: 5 s'] });
    expect(comparison.self[0]).toMatchObject({ before: 10, after: 10, delta: 0 });
  });

  test('has no known requests', async () => {
    await expect(compareRaw([within(0, 2e9)], [within(0, 2e9)], 'per-request')).rejects.toThrow(
      'not known for this time range',
    );
    await expect(compareRaw([within(3e10, 4e10)], [within(0, 2e9)], 'per-second')).rejects.toThrow('duration');
  });
});

describe('page-server, five captures a side', () => {
  interface Recorded {
    durationMs: number;
    cpuSeconds: { start: number; end: number };
  }

  const folder = new URL('../../../samples/profiles/perf-script/', import.meta.url);

  async function capture(name: string): Promise<ComparedCapture> {
    const text = gunzipSync(readFileSync(new URL(`${name}/raw.perf-script.txt.gz`, folder)));
    const facts = JSON.parse(readFileSync(new URL(`${name}/capture.json`, folder), 'utf8')) as Recorded;
    const profile = await importProfile(byteSource(text, name));
    // Both sides serve 12,000 requests per second.
    const seconds = facts.durationMs / 1000;
    return captureOf(profile, { durationSeconds: seconds, host: 'sample', requests: 12_000 * seconds });
  }

  const sides: { before: ComparedCapture[]; after: ComparedCapture[] } = { before: [], after: [] };
  beforeAll(async () => {
    for (const run of [1, 2, 3, 4, 5]) {
      sides.before.push(await capture(`page-server-before-${run}`));
      sides.after.push(await capture(`page-server-after-${run}`));
    }
  });

  const called = (comparison: Comparison, name: string) => {
    const func = functionsOf(comparison).find((one) => nameOf(comparison, one) === name)!;
    return { self: comparison.self[func]!, total: comparison.total[func]! };
  };

  test.each(['per-request', 'per-second', 'share'] as const)(
    'finds the known change as the top mover %s',
    async (kind) => {
      const comparison = await compareRaw(sides.before, sides.after, kind);
      expect(comparison.design.isReplicated).toBe(true);
      const [top] = topMovers(comparison, buildDeltaTree(comparison), 3).movers;
      expect([nameOf(comparison, top!.func), top!.column, top!.judgement.verdict]).toEqual([
        'match_route',
        'self',
        'shrank',
      ]);
      expect(called(comparison, 'match_route').self).toMatchObject({
        verdict: 'shrank',
        presence: 'only-before',
        relative: -1,
      });
      expect(called(comparison, 'route_lookup').total.verdict).toBe('shrank');
      expect(called(comparison, 'hash_path').self).toMatchObject({ presence: 'only-after', relative: null });
    },
  );

  // hash_path is new, but it has only ten samples on five captures.
  test('reports nothing except the change per request', async () => {
    const comparison = await compareRaw(sides.before, sides.after, null);
    expect(comparison.normalised.kind).toBe('per-request');
    const isCalled = (func: number): boolean => /^(grew|shrank)$/.test(comparison.self[func]!.verdict);
    const names = functionsOf(comparison)
      .filter(isCalled)
      .map((func) => nameOf(comparison, func));
    expect(names).toEqual(['match_route']);
    const { interval, delta } = called(comparison, 'match_route').self;
    expect(delta > interval![0] && delta < interval![1] && interval![1] < 0).toBe(true);
    const advice = comparison.advice(
      'self',
      functionsOf(comparison).find((one) => nameOf(comparison, one) === 'longest_match')!,
    )!;
    // Advice on the observed change names no more than a hundred runs.
    for (const { runs, moreRuns } of [advice.seen!, advice.small]) {
      expect(runs === null || (runs >= 5 && runs <= 100 && moreRuns === runs - 5)).toBe(true);
    }
    expect(advice.level).toBeGreaterThan(0.96);
    expect(comparison.whole.verdict).toBe('shrank');
  });

  test('gives maybe with one capture a side', async () => {
    const comparison = await compareRaw(sides.before.slice(0, 1), sides.after.slice(0, 1), null);
    expect(called(comparison, 'match_route').self).toMatchObject({ verdict: 'suggestive' });
    const all = [...comparison.self, ...comparison.total].map(({ verdict }) => verdict);
    expect(all.some((verdict) => verdict === 'grew' || verdict === 'shrank')).toBe(false);
  });
});

test('names a capture in which nothing is selected, with the value types that have weight there', async () => {
  const one = profileFromSketch([
    { stack: ['a'], weight: 5, event: 'cycles', time: 1 },
    { stack: ['b'], weight: 0, event: 'faults', time: 5 },
  ]);
  const capture = captureOf(one, { name: 'one' }, 3 as ValueTypeIndex);
  const early = { ...capture, selection: { ...capture.selection, timeRange: { start: 0, end: 3 } } };
  const messageOf = async (before: ComparedCapture): Promise<string | undefined> =>
    (await compareRaw([before], [capture])).warnings.find(({ code }) => code === 'empty-capture')?.message;
  expect(await messageOf(capture)).toContain('The selection has no weight in one, one; their values are 0. ');
  expect(await messageOf(early)).toMatch(
    /Choose a value type that is not empty there: samples\/count, weight\/bytes, cycles\/nanoseconds\.$/,
  );
});
