import { expect, test } from 'vitest';
import { readLoadFile } from '#core/load/read-load-file.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';

const wrk = (requests: string, rate: string): string =>
  `Running 1s test @ http://localhost/\n  1 threads and 2 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency     1.00ms  0.10ms  2.00ms   90.00%\n    Req/Sec     1.00      0.10     2.00     90.00%\n  ${requests} requests in 1.00s, 1.00KB read\nRequests/sec: ${rate}\n`;

test.each([
  [wrk('5', `1${'0'.repeat(27)}`), /impossible number of answers per second, 1e\+27/],
  [wrk(`1${'0'.repeat(30)}`, '5'), /impossible number of requests/],
  [wrk('5', '-3'), /impossible number of answers per second, -3|malformed/],
])('a result with an impossible number is refused with it', (text, message) => {
  expect(() => readLoadResults(text)).toThrow(message);
});

test('so is a saved load test', () => {
  const latency = { mean: null, deviation: null, min: null, max: null, percentiles: [], buckets: [] };
  const run = { tool: 'wrk', target: null, concurrency: 1, seconds: 1, requests: 1, qps: 1e27, success: 1 };
  const saved = {
    metrics: [],
    kneeBound: { leastSuccess: 1, mostLatency: null },
    steps: [{ runs: [{ ...run, errors: [], bytes: null, latency, notes: [] }] }],
  };
  expect(() => readLoadFile(JSON.stringify(saved))).toThrow(/impossible/);
});
