import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answersOverTime } from '#core/load/answers/over-time.ts';
import { courseText, overTimeTable } from '#core/load/describe-answers.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { seriesGrowth } from '#core/load/series/growth.ts';
import { vitalsCharts } from '#core/load/charts/vitals.ts';
import type { RunSeries } from '#core/contract/load/result.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/load');
const read = (name: string) => readLoadResults(readFileSync(join(FOLDER, name), 'utf8'))[0]!;
const valuesOf = (series: Pick<RunSeries, 'series'> | undefined, id: string) =>
  series?.series.find((one) => one.id === id)?.values;

test('answers are counted in the second in which they arrive, with percentiles by nearest rank', () => {
  const found = answersOverTime([0.1, 0.9, 1, 1.5, 3.2], [1, 3, 2, 4, 9], 3.4);
  expect(found.at).toEqual([0, 1, 2]);
  expect(valuesOf(found, 'p50')).toEqual([1, 2, 9]);
  expect(valuesOf(found, 'p99')).toEqual([3, 4, 9]);
  // The last interval also has the rest of the run: 1.4 s.
  expect(valuesOf(found, 'answers')).toEqual([2, 2, 1 / 1.4]);
  expect(valuesOf(answersOverTime([2.5], [1], 3), 'p99')).toEqual([null, null, 1]);
});

test('a run of an hour has 120 intervals of 30 s', () => {
  const found = answersOverTime([29, 30, 3599], [1, 2, 3], 3600);
  expect(found.at).toHaveLength(120);
  expect(found.at.slice(0, 2)).toEqual([0, 30]);
  expect(valuesOf(found, 'p50')!.slice(0, 2)).toEqual([1, 2]);
});

test.each(['hey.csv', 'k6-lines.json', 'vegeta-results.json', 'latency.hlog'])(
  'the intervals of %s together have all its answers',
  (name) => {
    const { overTime, qps, seconds } = read(name);
    const { at } = overTime!;
    const counted = valuesOf(overTime, 'answers')!.reduce<number>(
      (sum, rate, place) => sum + rate! * ((at[place + 1] ?? seconds!) - at[place]!),
      0,
    );
    const answers = qps! * seconds!;
    expect(counted).toBeCloseTo(answers, 0);
  },
);

test('Locust’s history: percentiles by time only with --csv-full-history, which are those of the last 10 s', () => {
  const full = read('locust-full_stats_history.csv').overTime;
  expect(full).toMatchObject({ name: 'Locust (percentiles of the last 10 s)', pid: null });
  expect(valuesOf(full, 'clients')!.slice(0, 6)).toEqual([0, 2, 4, 6, 8, 8]);
  // Row 3: 26 answers of 64.4378 ms each until then.
  expect(valuesOf(full, 'answers')!.slice(0, 2)).toEqual([null, 26]);
  expect(valuesOf(full, 'mean')![1]).toBeCloseTo(0.06443780919219604, 9);
  expect(valuesOf(full, 'p50')![1]).toBeNull();
  expect(valuesOf(full, 'p99')!.at(-1)).toBe(0.34);
  const plain = read('locust-long_stats_history.csv').overTime!;
  expect(plain.series.map(({ id }) => id)).toEqual(['clients', 'answers', 'mean']);
  // It grew with its clients, which is no finding.
  expect(seriesGrowth([{ result: { overTime: full! } }])).toEqual([]);
});

test('a latency that grows throughout a run at constant load is a finding', () => {
  const overTime: RunSeries = {
    name: 'answers of k6',
    pid: null,
    at: [0, 1, 2, 3, 4, 5],
    series: [{ id: 'p50', values: [0.01, 0.02, 0.03, 0.04, 0.05, 0.06] }],
  };
  expect(seriesGrowth([{ result: { overTime } }])).toMatchObject([
    { label: 'p50 over time', slope: expect.closeTo(0.01, 9) as number },
  ]);
});

test('charts and table show a file’s runs one after the other', () => {
  const result = read('vegeta-results.json');
  const runs = [result, result].map((one) => ({ file: null, startedAt: null, result: one }));
  const charts = vitalsCharts([{ role: 'only', runs }], 'en');
  expect(charts.map(({ title }) => title)).toEqual([
    'QPS of each run',
    'Answers per second',
    'p50 over time',
    'p99 over time',
  ]);
  const table = overTimeTable(runs, createLoadText('en'))!;
  expect(table.rows.map((row) => row.slice(0, 4))).toEqual([
    ['?', '1', 'answers of vegeta', 'p50'],
    ['?', '1', 'answers of vegeta', 'p99'],
    ['?', '2', 'answers of vegeta', 'p50'],
    ['?', '2', 'answers of vegeta', 'p99'],
  ]);
  expect(courseText([0, 4, null, 8])).toBe('▁▅ █');
});
