import { expect, test } from 'vitest';
import { compareGrowth, growthText, seriesGrowth } from '#core/load/series/growth.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { sweepNotes } from '#core/load/describe-load.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { NO_LATENCY, type LoadResult, type RunSeries } from '#core/contract/load/result.ts';

/** Pending lookups of a run: `perSecond` more each second, from `first`. */
const lookups = (perSecond: number, first = 30): RunSeries => ({
  name: 'Node 4711',
  pid: null,
  at: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  series: [
    { id: 'other:GetAddrInfoReqWrap', values: Array.from({ length: 10 }, (_, at) => first + perSecond * at) },
    { id: 'other:TCPSocketWrap', values: [30, 31, 29, 30, null, 30, 31, 30, 29, 30] },
  ],
});

const counted: LoadResult = {
  tool: 'wrk',
  target: null,
  concurrency: 1,
  seconds: 9,
  requests: 1,
  qps: 1,
  success: 1,
  bytes: null,
  errors: [],
  latency: NO_LATENCY,
  notes: [],
};

test('a series that grows in every run has its slope with an interval over the runs', () => {
  const [growth, ...others] = seriesGrowth([270, 280, 290].map((slope) => ({ vitals: [lookups(slope)] })));
  expect(others).toEqual([]);
  expect(growth).toMatchObject({ label: 'GetAddrInfoReqWrap', grew: 3, runs: 3 });
  expect(growth!.slope).toBeCloseTo(280, 6);
  // t(0.975, 2) = 4.303; deviation 10 ÷ √3.
  expect(growth!.reach).toBeCloseTo((4.303 * 10) / Math.sqrt(3), 1);
  expect(growthText(growth!)).toBe(
    'GetAddrInfoReqWrap of Node 4711 grew throughout 3 of 3 runs, by 280 ± 24.8 per second',
  );
});

test('a series that does not double, or falls, did not grow without bound; a run without it does not count', () => {
  expect(seriesGrowth([{ vitals: [lookups(50, 1000)] }, { vitals: [lookups(-3, 900)] }])).toEqual([]);
  expect(seriesGrowth([{ vitals: [lookups(280)] }, { vitals: [lookups(0)] }, {}])).toMatchObject([
    { grew: 1, runs: 2, reach: null },
  ]);
});

test('says on which side a series grew, also if the process is another one', () => {
  const before = seriesGrowth([1, 2, 3].map(() => ({ vitals: [lookups(280)] })));
  expect(compareGrowth(before, [])).toEqual([
    'GetAddrInfoReqWrap of Node 4711 grew throughout 3 of 3 runs before (by 280 ± 0 per second) and none of the runs after.',
  ]);
  const after = seriesGrowth([{ vitals: [{ ...lookups(100), name: 'Node 9' }] }]);
  expect(compareGrowth(before, after)).toHaveLength(1);
});

test('a series that a side did not read is said to be not read there', () => {
  const of = (vitals: RunSeries[]) => sweepOfTest({ name: 'a', runs: [{ result: counted, vitals }] });
  const still: RunSeries = { ...lookups(0), name: 'Node 9' };
  // A kind of request that never waits is in no answer of the collector.
  const never: RunSeries = { ...still, series: still.series.slice(1) };
  const said = (before: RunSeries[], after: RunSeries[]): readonly string[] =>
    compareSweeps(of(before), of(after)).growth;
  const grew = 'GetAddrInfoReqWrap of Node 4711 grew throughout 1 of 1 run';
  expect(said([lookups(280)], [])).toEqual([`${grew} before (by 280 per second), and was not read after.`]);
  expect(said([], [lookups(280)])).toEqual([`${grew} after (by 280 per second), and was not read before.`]);
  for (const read of [still, never])
    expect(said([lookups(280)], [read])).toEqual([`${grew} before (by 280 per second) and none of the runs after.`]);
});

test('a process that was started again for each run is one, and two of a run are two', () => {
  const named = (name: string, slope: number): RunSeries => ({ ...lookups(slope), name });
  const [growth, ...others] = seriesGrowth([5, 6, 7].map((pid) => ({ vitals: [named(`Node ${pid}`, 280)] })));
  expect([growth, others]).toMatchObject([{ source: 'Node', grew: 3, runs: 3 }, []]);
  const two = seriesGrowth([1, 2].map(() => ({ vitals: [named('Node 5', 280), named('Node 6', 140)] })));
  expect(two.map(({ source, grew, runs }) => [source, grew, runs])).toEqual([
    ['Node 5', 2, 2],
    ['Node 6', 2, 2],
  ]);
});

test('two processes of one name are two series on both sides, and are told apart', () => {
  const run = (first: number, second: number, pid: number) => ({
    vitals: [first, second].map((slope, place) => ({ ...lookups(slope), name: `Node ${pid + place}` })),
  });
  // From 30 to 30 + 9 × 280, and to 30 + 9 × 140; in the runs after, only the second grows.
  const before = seriesGrowth([run(280, 140, 10), run(280, 140, 20)]);
  const after = seriesGrowth([run(0, 70, 30), run(0, 70, 40)]);
  expect(before.map(({ source, slope }) => [source, slope])).toEqual([
    ['Node (1)', 280],
    ['Node (2)', 140],
  ]);
  expect(compareGrowth(before, after)).toEqual([
    'GetAddrInfoReqWrap of Node (1) grew throughout 2 of 2 runs before (by 280 per second) and none of the runs after.',
    'GetAddrInfoReqWrap of Node (2) grew throughout 2 of 2 runs before (by 140 per second) and 2 of 2 runs after (by 70 per second).',
  ]);
});

test('is among the notes of a load test, wherever these are shown', () => {
  const sweep = sweepOfTest({ name: 'a', runs: [{ result: counted, vitals: [lookups(280)] }] });
  expect(sweepNotes(sweep)[0]).toBe('GetAddrInfoReqWrap of Node 4711 grew throughout 1 of 1 run, by 280 per second.');
});
