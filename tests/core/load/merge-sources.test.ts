import { expect, it } from 'vitest';
import { mergeSources, shareOf } from '#core/load/merge-sources.ts';

/** wrk's report of `answers`, with the latencies in microseconds as pairs of value and count. */
const report = (answers: number, latencies: readonly (readonly [number, number])[], others = ''): string =>
  `Running 10s test @ http://a/
  1 threads and 5 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.00ms    1.00ms   9.00ms   90.00%
    Req/Sec     1.00k     1.00      1.00k    70.00%
  Latency Distribution
     50%    1.00ms
     99%    9.00ms
  ${answers} requests in 10.00s, 1.00MB read
${others}Requests/sec:  ${(answers / 10).toFixed(2)}
Transfer/sec:      0.10MB
All latencies in us
${latencies.map(([value, count]) => `${value} ${count}\n`).join('')}`;

const near = report(990, [
  [1000, 900],
  [2000, 90],
]);
const far = report(10, [
  [2000, 2],
  [500_000, 8],
]);

it('adds up answers and errors, and takes percentiles of all latencies instead of means', () => {
  const failed = report(
    10,
    [
      [2000, 2],
      [500_000, 8],
    ],
    '  Socket errors: connect 0, read 5, write 0, timeout 0\n  Non-2xx or 3xx responses: 4\n',
  );
  const merged = mergeSources(`${near}\n${failed}`, ['near', 'far']);
  expect(merged).toMatchObject({ tool: 'wrk', concurrency: 10, seconds: 10, requests: 1005, qps: 100, bytes: 2 << 20 });
  // 9 of 1,005.
  expect(merged.success).toBeCloseTo(996 / 1005, 9);
  expect(merged.errors.map(({ kind, count }) => [kind, count])).toEqual([
    ['read', 5],
    ['status', 4],
  ]);
  // Of 1,000 latencies, 900 are 1 ms, 92 are 2 ms, and 8 are 500 ms; the mean of the machines' p99 would be 251 ms.
  const at = (percent: number): number => merged.latency.percentiles.find((one) => one.percent === percent)!.seconds;
  expect([at(90), at(95), at(99), at(99.9)]).toEqual([0.001, 0.002, 0.002, 0.5]);
  expect(merged.latency.mean).toBeCloseTo((900 * 0.001 + 92 * 0.002 + 8 * 0.5) / 1000, 9);
  expect(merged.latency).toMatchObject({ min: 0.001, max: 0.5 });
  expect(merged.notes[0]).toMatch(/^near, far sent the load together/);
});

it('gives the same whichever machine comes first', () => {
  const { notes: _, ...one } = mergeSources(`${near}${far}`, ['a', 'b']);
  const { notes: __, ...other } = mergeSources(`${far}${near}`, ['b', 'a']);
  expect(one).toEqual(other);
});

it.each([
  [near, /1 of 2 machines have a report/],
  [near + far + near, /3 of 2 machines/],
  [near + far.replace(/^All latencies[^]*/m, ''), /lacks its single latencies/],
])('%# refuses what it can’t merge', (text, why) => {
  expect(() => mergeSources(text, ['near', 'far'])).toThrow(why);
});

it('divides connections among machines', () => {
  expect([0, 1, 2].map((place) => shareOf(50, 3, place))).toEqual([17, 17, 16]);
  expect([0, 1, 2].map((place) => shareOf(2, 3, place))).toEqual([1, 1, 0]);
});
