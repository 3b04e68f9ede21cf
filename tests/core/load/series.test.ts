import { describe, expect, it } from 'vitest';
import { parseLoadSeries } from '#core/contract/load/series.ts';
import { readSeriesCsv } from '#core/load/series/csv.ts';
import { readPrometheus } from '#core/load/series/prometheus.ts';
import { MAX_OTHER_SERIES, seriesOfRun } from '#core/load/series/readings.ts';
import { createStatsd } from '#core/load/series/statsd.ts';

describe('a source', () => {
  it.each([
    ['http://a:9100/metrics', { kind: 'prometheus', url: 'http://a:9100/metrics' }],
    [' statsd:8125 ', { kind: 'statsd', port: 8125 }],
    ['/tmp/lag.csv', { kind: 'csv', path: '/tmp/lag.csv' }],
    ['statsd:99999', null],
    ['http://', null],
    ['-n', null],
    ['', null],
  ])('is read from %j', (text, source) => {
    expect(parseLoadSeries(text)).toEqual(source);
  });
});

it('reads gauges and counters of Prometheus, without buckets and broken lines', () => {
  const text = [
    '# HELP queue_depth Waiting jobs',
    '# TYPE queue_depth gauge',
    'queue_depth{queue="a b"} 4 1700000000000',
    '# TYPE sent counter',
    'sent 12.5',
    'http_requests_total{code="200"} 3e2',
    'latency_bucket{le="1"} 7',
    '__proto__ 1',
    'nan NaN',
    'broken',
    '{} 3',
  ].join('\n');
  expect([...readPrometheus(text)]).toEqual([
    ['queue_depth{queue="a b"}', { value: 4, isCounter: false }],
    ['sent', { value: 12.5, isCounter: true }],
    ['http_requests_total{code="200"}', { value: 300, isCounter: true }],
    ['__proto__', { value: 1, isCounter: false }],
  ]);
});

it('sums up a second of StatsD: counters, gauges that stay, and means of timings', () => {
  const second = createStatsd();
  expect(second.add('sent:3|c\nsent:1|c|@0.1\nqueue:7|g|#env:test\n\nlag:10|ms\nlag:30|ms\nnonsense\nx:<b>|c\n')).toBe(
    2,
  );
  expect([...second.flush()]).toEqual([
    ['queue', 7],
    ['sent', 13],
    ['lag', 20],
  ]);
  expect(second.add('queue:-2|g')).toBe(0);
  expect([...second.flush()]).toEqual([['queue', 5]]);
});

it.each([
  ['time,lag,"queue"\n1700000000,1.5,2\n1700000001,,x\nlater,1,1\n', [{ lag: 1.5, queue: 2 }, {}], 1],
  ['\ufefftime;lag\r\n2023-11-14T22:13:20Z;4\r\n', [{ lag: 4 }], 0],
  ['time\tlag\n1700000000000\t4', [{ lag: 4 }], 0],
  ['"time","lag, ms"\n2023-11-14T22:13:20Z,"4"', [{ 'lag, ms': 4 }], 0],
  ['time,lag\n2023-11-14T22:13:20Z,4\n"2023-11-14T22:13:21Z,5', [{ lag: 4 }], 1],
])('reads the table %j', (text, values, skipped) => {
  const found = readSeriesCsv(text)!;
  expect(found.readings.map((one) => Object.fromEntries(one.values))).toEqual(values);
  expect(found.skipped).toBe(skipped);
  expect(found.readings[0]!.at).toBe(1_700_000_000_000);
});

it('refuses a text without columns', () => {
  expect(readSeriesCsv('nothing here\n1\n')).toBeNull();
});

it('keeps the first series of a run, and says what is left out', () => {
  const values = new Map(Array.from({ length: MAX_OTHER_SERIES + 2 }, (_, place) => [`s${place}`, place - 1]));
  const readings = [0, 1000, 2000, 9000].map((at) => ({ at, values }));
  const found = seriesOfRun('app', readings, { from: 500, to: 3000, most: 10 })!;
  expect(found).toMatchObject({ leftOut: 2, negative: 2, vitals: { name: 'app', pid: null, at: [0.5, 1.5] } });
  expect(found.vitals.series[1]).toEqual({ id: 'other:s1', values: [0, 0] });
  expect(seriesOfRun('app', readings, { from: 3000, to: 4000, most: 10 })).toBeNull();
});

it('keeps long names that begin alike apart, with the same id in each run', () => {
  const path = `latency{path="${'a/'.repeat(300)}`;
  const values = new Map([1, 2].map((place) => [`${path}${place}"}`, place]));
  const idsAt = (at: number): string[] =>
    seriesOfRun('app', [{ at, values }], { from: 0, to: 9000, most: 10 })!.vitals.series.map(({ id }) => id);
  const ids = idsAt(1000);
  expect(new Set(ids).size).toBe(2);
  expect(ids.every((id) => id.length === 'other:'.length + 150)).toBe(true);
  expect(idsAt(2000)).toEqual(ids);
});
