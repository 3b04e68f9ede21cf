import { expect, test } from 'vitest';
import { populationsOf, type LatencyCell } from '#core/load/answers/populations.ts';
import { comparePopulations, populationNotes, populationsText } from '#core/load/describe-answers.ts';
import { describeLatencies } from '#core/load/answers/describe-latencies.ts';
import { sweepOf } from '#core/load/sweep.ts';
import type { Latency, LoadResult } from '#core/contract/load/result.ts';
import { normal, randomOf } from '../compare/simulate.ts';

const values = (...counted: readonly (readonly [number, number])[]): LatencyCell[] =>
  counted.map(([seconds, count]) => ({ from: seconds, to: seconds, count }));

const resultOf = (latency: Latency): LoadResult => ({
  tool: 'k6',
  target: null,
  concurrency: 50,
  seconds: 10,
  requests: 100,
  qps: 10,
  success: 1,
  errors: [],
  bytes: null,
  latency,
  notes: [],
});

test('warm and cold answers are two populations with their shares and medians', () => {
  const latency = describeLatencies([...Array<number>(92).fill(0.033), ...Array<number>(8).fill(1.3)]);
  expect(latency.populations).toEqual([
    { share: 0.92, from: 0.033, to: 0.033, median: 0.033 },
    { share: 0.08, from: 1.3, to: 1.3, median: 1.3 },
  ]);
  const sweep = sweepOf('', [resultOf(latency), resultOf(describeLatencies([0.033, 0.034]))]);
  expect(populationNotes(sweep)).toEqual([
    'Latencies at 50 connections: two populations in 1 of 2 runs: 92.0 % at 33 ms, 8.0 % at 1.3 s.',
  ]);
  expect(comparePopulations(sweep, sweepOf('', [resultOf(describeLatencies([0.033, 0.034]))]))).toEqual([
    'Latencies at 50 connections: before: two populations in 1 of 2 runs: 92.0 % at 33 ms, 8.0 % at 1.3 s; after: no gap.',
  ]);
});

test('the gap is a factor of 3 with fewer than a tenth of the smaller population, which has 5 answers and 1 %', () => {
  expect(populationsOf(values([1, 100], [3, 100]))).not.toBeNull();
  expect(populationsOf(values([1, 100], [2.99, 100]))).toBeNull();
  // 10 of 100 lie between; 11 do.
  expect(populationsOf(values([1, 200], [2, 10], [3, 100]))).toMatchObject([{ median: 1 }, { share: 100 / 310 }]);
  expect(populationsOf(values([1, 200], [2, 11], [2.5, 0], [3, 100]))).toBeNull();
  expect(populationsOf(values([1, 100], [9, 4]))).toBeNull();
  expect(populationsOf(values([1, 100], [9, 5]))).not.toBeNull();
  expect(populationsOf(values([1, 990], [9, 9]))).toBeNull();
  expect(populationsOf(values([1, 990], [9, 10]))).not.toBeNull();
  // Rounded to 0 is not far from the next value.
  expect(populationsOf(values([0, 50], [0.001, 50], [0.002, 50]))).toBeNull();
  expect(populationsOf([])).toBeNull();
});

test('there may be more than two', () => {
  expect(populationsText([populationsOf(values([1, 20], [5, 70], [50, 10]))!])).toBe(
    '20.0 % at 1 s, 70.0 % at 5 s, 10.0 % at 50 s',
  );
});

test('of a histogram, only ranges are known', () => {
  const cells = [
    { from: 0.01, to: 0.16, count: 92 },
    { from: 0.16, to: 1.17, count: 0 },
    { from: 1.17, to: 1.3, count: 8 },
  ];
  expect(populationsText([populationsOf(cells)!])).toBe('92.0 % from 10 ms to 160 ms, 8.0 % from 1.17 s to 1.3 s');
});

/** Draws latencies of one population. */
const SHAPES: Readonly<Record<string, (uniform: () => number) => number>> = {
  'exponential, from 0': (uniform) => -Math.log(1 - uniform()),
  'log-normal, σ 0.5': (uniform) => Math.exp(0.5 * normal(uniform)),
  'log-normal, σ 1.5': (uniform) => Math.exp(1.5 * normal(uniform)),
  'Pareto, α 2': (uniform) => (1 - uniform()) ** (-1 / 2),
  'Pareto, α 1: no mean': (uniform) => 1 / (1 - uniform()),
};

const isFound = (latencies: readonly number[]): boolean => describeLatencies(latencies).populations !== undefined;

test.each(Object.entries(SHAPES))('one population has a false gap in at most 1 %% of runs: %s', (_, draw) => {
  for (const size of [50, 200, 2000]) {
    const uniform = randomOf(size);
    let found = 0;
    for (let run = 0; run < 1000; run++) if (isFound(Array.from({ length: size }, () => draw(uniform)))) found += 1;
    expect(found).toBeLessThanOrEqual(10);
  }
});

test('8 % of cold answers among 300 are found in more than 95 % of runs', () => {
  const uniform = randomOf(7);
  let found = 0;
  for (let run = 0; run < 500; run++) {
    const latency = (): number =>
      uniform() < 0.08 ? 1.3 * Math.exp(0.2 * normal(uniform)) : 0.033 * Math.exp(0.5 * normal(uniform));
    if (isFound(Array.from({ length: 300 }, latency))) found += 1;
  }
  expect(found).toBeGreaterThan(475);
});
