import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { loadForm } from '#core/load/recognise.ts';
import { datText } from '#core/load/readers/gnuplot-dat.ts';
import { latencyAt, type LoadResult } from '#core/load/load-result.ts';

/**
 * Written by wrk 4.1, hey 0.1.5, ab 2.3, vegeta 12.13, k6 1.8, autocannon 9, oha 1.16, Locust 2.47 and HdrHistogram's
 * Python library on loopback. `/mixed` answers every fourth request with 500 and closes some connections without an
 * answer.
 */
const FOLDER = join(import.meta.dirname, '../../fixtures/load');
const text = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** `-` is null. Times are in seconds; `counted` is the sum of the histogram. */
const TABLE = `
file                     tool       concurrency seconds       requests qps                success            bytes  mean                  deviation            max            p50          p99         counted
wrk.txt                  wrk        8           1             1075     1071.48            1                  137605 0.01191               0.01583              0.09728        0.00604      0.08084     0
wrk-without-latency.txt  wrk        4           1.01          1094     1081.1             1                  140032 0.00432               0.00407              0.03234        -            -           0
wrk-503.txt              wrk        4           1.02          2969     2911.74            0                  483942 0.00355               0.00584              0.04656        0.000462     0.02938     0
wrk-mixed.txt            wrk        4           1             5063     4623.21            0.666600829547699  628234 0.00237               0.00454              0.02831        0.000397     0.02301     0
wrk-timeouts.txt         wrk        4           4.04          8        1.98               0                  1004   -                     -                    -              -            -           0
wrk-hang.txt             wrk        4           1.02          0        0                  -                  0      -                     -                    -              -            -           0
wrk-refused.txt          wrk        -           -             1        0                  0                  -      -                     -                    -              -            -           0
hey.txt                  hey        -           0.0479        48       1002.08768267      1                  288    0.0063                -                    0.018          0.0052       -           48
hey-mixed.txt            hey        -           0.0229        60       2620.08733624      0.7333333333333333 132    0.0021                -                    0.0105         0.0012       -           60
hey-refused.txt          hey        -           0.0022        10       0                  0                  -      -                     -                    -              -            -           0
hey.csv                  hey        -           0.0318        48       1509.43396226      1                  -      0.004604166666666667  0.002812617281505292 0.0111         0.0042       0.0111      48
hey-mixed.csv            hey        -           0.012         60       5000               0.7166666666666667 -      0.0010083333333333337 0.000500097212771899 0.0024         0.0009       0.0024      60
ab.txt                   ab         6           0.066         60       910.95             1                  4860   0.006587              0.003                0.013          0.004        0.013       0
ab-503.txt               ab         4           0.032         40       1254.15            0                  3880   0.003189              0.002                0.009          0.001        0.009       0
ab-vary.txt              ab         6           0.063         60       947.31             1                  4746   0.006334              0.0064               0.027          0.003        0.027       0
vegeta.json              vegeta     -           0.982277033   50       50.9021368924      1                  300    0.004085722           -                    0.030882802    0.002967582  0.030882802 0
vegeta.txt               vegeta     -           0.982277      50       50.9021386025      1                  300    0.004086              -                    0.030883       0.002968     0.030883    0
vegeta-mixed.json        vegeta     -           0.975877679   40       40.9887436313      0.725              120    0.001680155           -                    0.011511404    0.000755968  0.011511404 0
vegeta-mixed.txt         vegeta     -           0.975878      40       40.9887301486      0.725              120    0.00168               -                    0.011511       0.000755968  0.011511    0
vegeta.hdr               hdr        -           -             50       -                  -                  -      -                     -                    0.030882802    0.002967582  0.030882802 50
k6.txt                   k6         4           2.00419491776 1978     986.929955         1                  -      0.00393               -                    0.01996        0.0034       -           0
k6-export.json           k6         4           2.004194918   1978     986.9299548837595  1                  253184 0.00393301095602      -                    0.019961214    0.0034012455 -           0
k6-mixed.json            k6         4           2.010057947   4113     2046.2096658151718 0.7257476294675419 555522 0.00183978754826      -                    0.028932022    0.001015996  -           0
k6-lines.json            k6         2           2.424           12       4.12541254125       0.5833333333333334  1307             0.005724592400000001 0.006996613185998597 0.022734667    0.002125629  0.022734667  10
autocannon.json          autocannon 8           1.05          1071     1020               1                  137088 0.00704               0.00858              0.055          0.005        0.051       0
autocannon-mixed.json    autocannon 8           1.02          2290     2056.8627450980393 0.6663755458515284 283986 0.04359               0.03224              0.159          0.038        0.137       0
locust.json              locust     -           1.65835309029 230      138.691814998      0.8478260869565217 996    0.0245975160218       0.026246599923827024 0.267833858999 0.02         0.19        230
locust_stats.csv         locust     -           -             230      119.18657248601053 0.8478260869565217 -      0.0245975160218       -                    0.267833858999 0.02         0.19        0
locust_stats_history.csv locust     4           2             230      115                0.8478260869565217 -      0.0245975160218       -                    0.267833858999 0.02         0.19        0
latency.hlog             hdr        -           3             600      200                -                  -      0.0035174481066666654 0.002436093694109002 0.017481727    0.002854911  0.013631487 600
latency.hgrm             hdr        -           -             600      -                  -                  -      0.003517              -                    0.017482       0.002966     0.013631    600
oha.json                 oha        -           0.227225333   60       264.05506467       1                  360    0.019938636366666658  -                    0.080107731    0.007599596  0.080107731 60
oha-503.json             oha        -           0.081867812   60       732.88876952       0                  300    0.006716521266666666  -                    0.027351708    0.002504579  0.027351708 60
oha-refused.json         oha        -           0.014404281   4        0                  0                  0      -                     -                    -              -            -           0
`;

const ERRORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'oha-503.json': { 'status 503': 60 },
  'oha-refused.json': { 'connect Connection refused (os error 111)': 4 },
  'wrk-503.txt': { 'status not 2xx or 3xx': 2969 },
  'wrk-mixed.txt': { 'read read': 422, 'status not 2xx or 3xx': 1266 },
  'wrk-timeouts.txt': { 'timeout answer after the timeout': 8 },
  'wrk-refused.txt': { 'connect Connection refused': 1 },
  'hey-mixed.txt': { 'status 500': 16 },
  'hey-refused.txt': { 'connect Get "http://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused': 10 },
  'hey-mixed.csv': { 'status 500': 17 },
  'ab-503.txt': { 'status not 2xx': 40 },
  'ab-vary.txt': { 'length length': 51 },
  'vegeta-mixed.json': { 'status 500': 11 },
  'vegeta-mixed.txt': { 'status 500': 11 },
  'k6-mixed.json': { 'other http_req_failed: no answer, or 4xx and 5xx': 1128 },
  'k6-lines.json': { 'status 500': 3, 'read EOF': 2 },
  'autocannon-mixed.json': { 'read no answer': 192, 'status 500': 572 },
  'locust.json': { 'other failures': 35 },
  'locust_stats.csv': { 'other failures': 35 },
  'locust_stats_history.csv': { 'other failures': 35 },
};

const [header, ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.split(/ +/));
const EXPECTED = new Map(rows.map((cells) => [cells[0]!, cells.slice(1)]));

/** The numbers of a result in the columns of the table. */
function numbersOf({ latency, ...result }: LoadResult): string[] {
  const { tool, concurrency, seconds, requests, qps, success, bytes } = result;
  const { mean, deviation, max } = latency;
  const numbers: Readonly<Record<string, string | number | null>> = {
    tool,
    concurrency,
    seconds,
    requests,
    qps,
    success,
    bytes,
    mean,
    deviation,
    max,
    p50: latencyAt(latency, 50),
    p99: latencyAt(latency, 99),
    counted: latency.buckets.reduce((sum, { count }) => sum + count, 0),
  };
  return header!.slice(1).map((column) => String(numbers[column] ?? '-'));
}

const errorsOf = ({ errors }: LoadResult): Record<string, number> =>
  Object.fromEntries(errors.map(({ kind, detail, count }) => [`${kind} ${detail}`, count]));

/** Results that are refused, with what the refusal says. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'ab-refused.txt': /the test did not end/,
  'autocannon.txt': /autocannon --json/,
  'oha.txt': /oha --output-format json/,
};

it('has expected values for each fixture', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual([...EXPECTED.keys(), ...Object.keys(REFUSED)].toSorted());
});

it.each([...EXPECTED])('%s has exactly the numbers that the tool printed', (name, expected) => {
  const [result, ...others] = readLoadResults(text(name));
  expect(others).toEqual([]);
  expect(numbersOf(result!)).toEqual(expected);
  expect(errorsOf(result!)).toEqual(ERRORS[name] ?? {});
  expect(numbersOf(readLoadResults(`\ufeff${text(name).replaceAll('\n', '\r\n')}`)[0]!)).toEqual(expected);
});

it.each(Object.entries(REFUSED))('%s is refused with the reason', (name, reason) => {
  expect(loadForm(text(name))).not.toBeNull();
  expect(() => readLoadResults(text(name))).toThrow(reason);
});

it.each([...EXPECTED.keys()])('%s, cut anywhere, is read or refused in one line', (name) => {
  const whole = text(name);
  for (let part = 1; part < 12; part++) {
    const cut = whole.slice(0, Math.floor((whole.length * part) / 12));
    try {
      for (const { success, qps } of readLoadResults(cut)) {
        expect(success === null || (success >= 0 && success <= 1)).toBe(true);
        expect(qps === null || qps >= 0).toBe(true);
      }
    } catch (error) {
      expect(error).toMatchObject({ name: 'ImportFailure', message: expect.not.stringContaining('\n') as string });
    }
  }
});

describe('errors of the tools are reported', () => {
  it.each([
    ['wrk-503.txt', /Every request failed; wrk exits with 0/],
    ['wrk-timeouts.txt', /leaves answers after its timeout out/],
    ['wrk-hang.txt', /No request ended/],
    ['wrk.txt', /above concurrency ÷ QPS: wrk adds assumed samples/],
    ['hey-refused.txt', /counts failed requests in its Requests\/sec/],
    ['k6.txt', /exited with 99/],
    ['k6-export.json', /exited with 99/],
    ['k6-mixed.json', /exited with 99/],
    ['ab-vary.txt', /counts 51 answers as failed because their length/],
    ['autocannon-mixed.json', /reconnects silently/],
    ['locust_stats.csv', /writes its CSV once a second/],
    ['oha-503.json', /successRate counts every answer as a success/],
  ])('%s', (name, note) => {
    expect(readLoadResults(text(name))[0]!.notes.join('\n')).toMatch(note);
  });
});

it('reads several reports in one file, each as a run', () => {
  const results = readLoadResults(`$ wrk …\n${text('wrk.txt')}\n$ wrk …\n${text('wrk-503.txt')}`);
  expect(results.map(({ qps }) => qps)).toEqual([1071.48, 2911.74]);
});

it('keeps no password of a URL', () => {
  const result = readLoadResults(text('wrk.txt').replace('http://127.0.0.1', 'http://user:hunter2@127.0.0.1'))[0]!;
  expect(JSON.stringify(result)).not.toContain('hunter2');
});

describe('.dat', () => {
  it('reads what wrktest.sh writes: concurrency, QPS, mean latency in ms, success in percent', () => {
    const results = readLoadResults('200 11500.25 17.31 100.00\n500 11800 42.1 99.50\n');
    expect(results.map(({ concurrency, qps, latency, success }) => [concurrency, qps, latency.mean, success])).toEqual([
      [200, 11_500.25, 0.01731, 1],
      [500, 11_800, 0.0421, 0.995],
    ]);
  });
  it('reads decimal commas', () => {
    expect(readLoadResults('200 11500,25 17,31 100,00\n')[0]).toMatchObject({ qps: 11_500.25, success: 1 });
  });
  it('names the line that is not a run', () => {
    expect(() => readLoadResults('200 11500.25 17.31 100.00\n500 -nan\n')).toThrow(
      expect.objectContaining({ failure: 'malformed', location: { line: 2 } }) as Error,
    );
  });
  it('leaves out an impossible success rate, and says so', () => {
    const [result] = readLoadResults('200 100 2 -12.00\n');
    expect(result).toMatchObject({ success: null, notes: [expect.stringContaining('-12.00 %'), expect.anything()] });
  });
  it('writes back what it reads', () => {
    const written = '# concurrency QPS mean(ms) success(%)\n200 11500.25 17.31 100.00\n500 11800 42.1 99.50\n';
    expect(datText(readLoadResults(written))).toBe(written);
  });
});

it.each(['', 'hello\n', '{}', '[]', '1 2 3 4 5\n', 'main;work 12\n', '<svg/>'])(
  'does not mistake %j for a result',
  (input) => {
    expect(loadForm(input)).toBeNull();
    expect(() => readLoadResults(input)).toThrow(expect.objectContaining({ failure: 'unrecognized' }) as Error);
  },
);

describe('k6’s JSON Lines', () => {
  const point = (metric: string, value: number, second: number, tags = {}): string =>
    JSON.stringify({ metric, type: 'Point', data: { time: `2026-01-01T00:00:0${second}.5+01:00`, value, tags } });
  const lines = [
    '{"type":"Metric","data":{"name":"http_reqs","type":"counter"},"metric":"http_reqs"}',
    point('vus', 3, 0),
    ...[10, 20, 30].flatMap((duration, place) => [
      point('http_reqs', 1, place, { status: '200', url: 'http://a/?token=abcdefghijklmnop' }),
      point('http_req_failed', 0, place),
      point('http_req_duration', duration, place, { status: '200' }),
    ]),
    point('http_reqs', 1, 2, { status: '503' }),
    point('http_req_failed', 1, 2),
    point('http_req_duration', 40, 2, { status: '503' }),
    point('http_reqs', 1, 2, { status: '0', error: 'dial: connection refused' }),
    point('http_req_failed', 1, 2),
    point('http_req_duration', 0, 2, { status: '0' }),
    point('data_received', 500, 2),
  ];
  it('add up to one result', () => {
    const [result, ...others] = readLoadResults(`${lines.join('\n')}\n`);
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      tool: 'k6',
      concurrency: 3,
      seconds: 2,
      requests: 5,
      qps: 2,
      success: 0.6,
      bytes: 500,
      errors: [
        { kind: 'status', detail: '503', count: 1 },
        { kind: 'connect', detail: 'dial: connection refused', count: 1 },
      ],
      notes: [],
    });
    expect(result!.target).not.toContain('abcdefghijklmnop');
    expect(latencyAt(result!.latency, 50)).toBe(0.02);
    expect(result!.latency).toMatchObject({ mean: 0.025, max: 0.04 });
  });
  it('that were cut are read with a note, and other lines refused with their number', () => {
    const cut = lines.join('\n').slice(0, -20);
    expect(readLoadResults(cut)[0]).toMatchObject({
      requests: 5,
      notes: [expect.stringContaining('ends within a line')],
    });
    const broken = [...lines.slice(0, 3), '{"metric":1}', ...lines.slice(3)].join('\n');
    expect(() => readLoadResults(`${broken}\n`)).toThrow(expect.objectContaining({ location: { line: 4 } }) as Error);
    expect(() => readLoadResults(`${lines.slice(0, 2).join('\n')}\n`)).toThrow(/no HTTP request/);
  });
});
