import { expect, test } from 'vitest';
import type { LoadRun } from '#core/contract/load/load-test.ts';
import { NO_LATENCY } from '#core/contract/load/result.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { concludeLoad } from '#core/load/conclude.ts';
import { comparisonDocument } from '#core/load/comparison-json.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { compareSeries, seriesChanges, seriesTable } from '#core/load/compare-series.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import type { LoadSweep } from '#core/load/sweep.ts';
import { normal, randomOf } from '../compare/simulate.ts';

const text = createLoadText('en');

/** A run at 10 connections with a server of this name that has open files and sockets, and CPU. */
const run = (name: string, pid: number, files: number, qps = 1000): LoadRun => ({
  file: null,
  startedAt: 0,
  result: {
    tool: 'wrk',
    target: 'http://a/',
    concurrency: 10,
    seconds: 10,
    requests: 10_000,
    qps,
    success: 1,
    errors: [],
    bytes: null,
    latency: NO_LATENCY,
    notes: [],
  },
  vitals: [
    {
      name,
      pid,
      at: [1, 2],
      series: [
        { id: 'cpu', values: [null, 0.5] },
        { id: 'files', values: [files - 1, files + 1] },
        { id: 'sockets:close-wait', values: [null, null] },
      ],
    },
  ],
});
const sweep = (name: string, files: readonly number[]): LoadSweep =>
  sweepOfTest({ name, runs: files.map((count, place) => run('app', 100 + place, count)) });

test('series of one sweep are a table: means over the runs, and the highest reading', () => {
  expect(seriesTable(sweep('a', [10, 12, 14]), text)).toEqual({
    names: 2,
    header: ['Source', 'Series', 'Mean (max) at 10'],
    rows: [
      ['app', 'CPU', '50.00 % (50.00 %)'],
      ['app', 'Open files', '12 (15)'],
    ],
  });
  expect(seriesTable(sweepOfTest({ name: 'none', runs: [] }), text)).toBeNull();
});

test('a series that differs between the sides has a verdict, and a sentence in the conclusion', () => {
  const comparison = compareSweeps(sweep('a', [10, 11, 10]), sweep('b', [40, 41, 42]));
  expect(seriesChanges(compareSeries(comparison), text)?.rows).toEqual([
    ['10', 'app', 'CPU', '50.00 % → 50.00 %', '0.0 %: not tested', '50.00 % → 50.00 %'],
    ['10', 'app', 'Open files', '10.3 → 41', expect.stringMatching(/^\+296.8 % ± .*: ▲ grew$/), '12 → 43'],
  ]);
  const sentence = expect.stringMatching(
    /^Open files of app at 10 connections grew by 296.8 % ± .* % \(10.3 → 41\)\.$/,
  );
  expect(concludeLoad(comparison, text)).toContainEqual(sentence);
  expect(comparisonDocument(comparison, text)).toMatchObject({
    series: [{ metric: 'CPU' }, { source: 'app', concurrency: 10, metric: 'Open files', verdict: 'grew' }],
    seriesFindings: [sentence],
  });
  const same = compareSweeps(sweep('a', [10, 11, 10]), sweep('b', [11, 10, 10]));
  expect(comparisonDocument(same, text).seriesFindings).toEqual([]);
});

test('a server compared with itself has a series that differs in at most 5 % of comparisons', () => {
  const random = randomOf(50);
  const noisy = (): LoadSweep =>
    sweep(
      'a',
      Array.from({ length: 5 }, () => 100 + 10 * normal(random)),
    );
  const found = Array.from({ length: 400 }, () =>
    compareSeries({ before: noisy(), after: noisy() }).some(({ judgement: { verdict } }) =>
      ['grew', 'shrank'].includes(verdict),
    ),
  ).filter(Boolean);
  // 5 % of 400 and 2.5 standard deviations.
  expect(found.length).toBeLessThanOrEqual(31);
});

test('means that are equal in few runs differ no more than the readings within them', () => {
  const steady = (readings: readonly number[]): LoadSweep => {
    const runs = [1, 2, 3].map((pid): LoadRun => {
      const series = [{ id: 'sockets:established', values: [...readings] }];
      return { ...run('app', pid, 0), vitals: [{ name: 'app', pid, at: readings.map((_, at) => at), series }] };
    });
    return sweepOfTest({ name: 'a', runs });
  };
  const verdictOf = (before: readonly number[], after: readonly number[]): string =>
    compareSeries({ before: steady(before), after: steady(after) })[0]!.judgement.verdict;
  // A connection more from the third second on, or from the fourth.
  expect(verdictOf([8, 8, 9, 9, 9], [8, 8, 8, 9, 9])).toBe('noise');
  expect(verdictOf([8, 8, 9, 9, 9], [18, 18, 18, 19, 19])).toBe('grew');
  // What grows in every run alike is no noise.
  expect(verdictOf([0, 10, 20, 30, 40, 50, 60, 70, 80, 90], [0, 20, 40, 60, 80, 100, 120, 140, 160, 180])).toBe('grew');
});
