import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { loadForm } from '#core/load/recognise.ts';
import { datText } from '#core/load/readers/gnuplot-dat.ts';
import { latencyAt, type LoadResult } from '#core/contract/load/result.ts';

/**
 * Written by wrk 4.1, hey 0.1.5, ab 2.3, vegeta 12.13, k6 1.8, autocannon 9, oha 1.16, Locust 2.47 and HdrHistogram's
 * Python library on loopback. `/mixed` answers every fourth request with 500 and closes some connections without an
 * answer; `refused`, `timeouts`, `hang` and `zero` name what the server or the script did; `german` were written under
 * de_DE.UTF-8.
 */
const FOLDER = join(import.meta.dirname, '../../fixtures/load');
const text = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** `-` is null. Times are in seconds; `counted` is the sum of the histogram. */
const TABLE = `
file                          tool       concurrency seconds         requests qps                success            bytes  mean                  deviation            max            p50          p99         counted
wrk.txt                       wrk        8           1               1075     1071.48            1                  137605 0.01191               0.01583              0.09728        0.00604      0.08084     0
wrk-without-latency.txt       wrk        4           1.01            1094     1081.1             1                  140032 0.00432               0.00407              0.03234        -            -           0
wrk-503.txt                   wrk        4           1.02            2969     2911.74            0                  483942 0.00355               0.00584              0.04656        0.000462     0.02938     0
wrk-mixed.txt                 wrk        4           1               5063     4623.21            0.666600829547699  628234 0.00237               0.00454              0.02831        0.000397     0.02301     0
wrk-timeouts.txt              wrk        4           4.04            8        1.98               0                  1004   -                     -                    -              -            -           0
wrk-hang.txt                  wrk        4           1.02            0        0                  -                  0      -                     -                    -              -            -           0
wrk-refused.txt               wrk        -           -               1        0                  0                  -      -                     -                    -              -            -           0
wrk-german.txt                wrk        2           1.02            6139     6025.04            1                  785797 0.00347               0.00921              0.05833        0.000206     0.04509     0
wrk-tail-in-seconds.txt       wrk        30000       30.1            2278059  75613.16         0.9992124874728882 432485171 0.50877               0.60401              9.27           0.41335      2.44        0
wrk-over-1s.txt               wrk        50          6.07            211      34.78            1                  26163  1.27                  0.45904              2.04           1.28         2.03        0
hey.txt                       hey        -           0.0479          48       1002.08768267      1                  288    0.0063                -                    0.018          0.0052       -           48
hey-mixed.txt                 hey        -           0.0229          60       2620.08733624      0.7333333333333333 132    0.0021                -                    0.0105         0.0012       -           60
hey-refused.txt               hey        -           0.0022          10       0                  0                  -      -                     -                    -              -            -           0
hey.csv                       hey        -           0.0318          48       1509.43396226      1                  -      0.004604166666666667  0.002812617281505292 0.0111         0.0042       0.0111      48
hey-mixed.csv                 hey        -           0.012           60       5000               0.7166666666666667 -      0.0010083333333333337 0.000500097212771899 0.0024         0.0009       0.0024      60
hey-german.csv                hey        -           0.0346          20       578.034682081      1                  -      0.00293               0.004386353838896265 0.0147         0.0007       0.0147      20
hey-german.txt                hey        -           0.2396          20       83.4724540902      1                  120    0.0232                -                    0.1401         0.0019       -           20
hey-none.csv                  hey        -           -               0        -                  -                  -      -                     -                    -              -            -           0
hey-timeouts.txt              hey        -           2.0244          8        0                  0                  -      -                     -                    -              -            -           0
ab.txt                        ab         6           0.066           60       910.95             1                  4860   0.006587              0.003                0.013          0.004        0.013       0
ab-503.txt                    ab         4           0.032           40       1254.15            0                  3880   0.003189              0.002                0.009          0.001        0.009       0
ab-vary.txt                   ab         6           0.063           60       947.31             1                  4746   0.006334              0.0064               0.027          0.003        0.027       0
ab-german.txt                 ab         2           0.074           20       271.5              1                  1620   0.007367              0.0113               0.036          0.001        0.036       0
vegeta.json                   vegeta     -           0.982277033     50       50.9021368924      1                  300    0.004085722           -                    0.030882802    0.002967582  0.030882802 0
vegeta.txt                    vegeta     -           0.982277        50       50.9021386025      1                  300    0.004086              -                    0.030883       0.002968     0.030883    0
vegeta-mixed.json             vegeta     -           0.975877679     40       40.9887436313      0.725              120    0.001680155           -                    0.011511404    0.000755968  0.011511404 0
vegeta-mixed.txt              vegeta     -           0.975878        40       40.9887301486      0.725              120    0.00168               -                    0.011511       0.000755968  0.011511    0
vegeta.hdr                    hdr        -           -               50       -                  -                  -      -                     -                    0.030882802    0.002967582  0.030882802 50
vegeta-results.json           vegeta     -           4.262638        200      46.9193020848          1                  600    0.07231580261500002   0.08332832959100027 0.347059293  0.054753612  0.342926452 200
vegeta-german.json            vegeta     -           0.953117406     20       20.9837737451      1                  120    0.009189227           -                    0.046892395    0.001112793  0.046892395 0
vegeta-german.txt             vegeta     -           0.953117        20       20.9837826836      1                  120    0.009189              -                    0.046892       0.001113     0.046892    0
vegeta-refused.json           vegeta     -           0.950817039     20       0                  0                  0      -                     -                    -              -            -           0
vegeta-refused.txt            vegeta     -           0.950817        20       0                  0                  0      -                     -                    -              -            -           0
vegeta-timeouts.json          vegeta     -           1.802545225     5        0                  0                  0      -                     -                    -              -            -           0
vegeta-timeouts.txt           vegeta     -           1.803           5        0                  0                  0      -                     -                    -              -            -           0
k6.txt                        k6         4           2.00419491776   1978     986.929955         1                  -      0.00393               -                    0.01996        0.0034       -           0
k6-export.json                k6         4           2.004194918     1978     986.9299548837595  1                  253184 0.00393301095602      -                    0.019961214    0.0034012455 -           0
k6-mixed.json                 k6         4           2.010057947     4113     2046.2096658151718 0.7257476294675419 555522 0.00183978754826      -                    0.028932022    0.001015996  -           0
k6-lines.json                 k6         2           2.439           12       4.10004100041      0.5833333333333334 1307   0.005724592400000001  0.006996613185998597 0.022734667    0.002125629  0.022734667 10
k6-german-export.json         k6         -           1.007055144     2188     2172.6714897749434 1                  280064 0.000775034828154     -                    0.032202015    0.0004664405 -           0
k6-german.txt                 k6         -           1.0070551439    2188     2172.67149         1                  -      0.00077503            -                    0.0322         0.00046644   -           0
k6-refused-export.json        k6         2           1.001562044     842      840.6868102122289  0                  0      -                     -                    -              -            -           0
k6-refused.txt                k6         2           1.00156204425   842      840.68681          0                  -      -                     -                    -              -            -           0
k6-timeouts-export.json       k6         2           1.404514489     4        2.8479592281372326 0                  0      0.6855560755          -                    0.700398611    0.685518054  -           0
k6-timeouts-lines.json        k6         2           1.373           4        0                  0                  0      -                     -                    -              -            -           0
k6-timeouts.txt               k6         2           1.40451460151   4        2.847959           0                  -      0.68555               -                    0.70039        0.68551      -           0
autocannon.json               autocannon 8           1.05            1071     1020               1                  137088 0.00704               0.00858              0.055          0.005        0.051       0
autocannon-mixed.json         autocannon 8           1.02            2290     2056.8627450980393 0.6663755458515284 283986 0.04359               0.03224              0.159          0.038        0.137       0
autocannon-german.json        autocannon 2           1.02            2920     2862.7450980392155 1                  373760 0.00032               0.00294              0.076          0            0.005       0
autocannon-hang.json          autocannon 4           1.05            0        0                  -                  0      -                     -                    -              -            -           0
autocannon-refused.json       autocannon 4           1.04            2168     0                  0                  0      -                     -                    -              -            -           0
autocannon-timeouts.json      autocannon 4           2.07            4        0                  0                  0      -                     -                    -              -            -           0
locust.json                   locust     -           1.65835309029   230      138.691814998      0.8478260869565217 996    0.0245975160218       0.026246599923827024 0.267833858999 0.02         0.19        230
locust_stats.csv              locust     -           -               230      119.18657248601053 0.8478260869565217 -      0.0245975160218       -                    0.267833858999 0.02         0.19        0
locust_stats_history.csv      locust     4           2               230      115                0.8478260869565217 -      0.0245975160218       -                    0.267833858999 0.02         0.19        0
locust-full_stats_history.csv locust     8           13              1230     94.6153846154           1                  -      0.0742284450074       -                   0.395953546002 -           -           0
locust-long_stats_history.csv locust     8           13              1239     95.3076923077           1                  -      0.0737749011832       -                   0.391822882   0.052        0.35        0
locust-german.json            locust     -           1.35449314117   28       20.6719393026      1                  168    0.095421657322        0.15474460113888514  0.580590403995 0.012        0.58        28
locust-german_stats.csv       locust     -           -               7        10.11908763174402  1                  -      0.169091416573        -                    0.318609344999 0.2          0.32        0
locust-refused.json           locust     -           0.0368490219116 4        108.551049458      0                  0      0.031364157252        0.03744662868670556  0.095635302001 0.009        0.096       4
locust-refused_stats.csv      locust     -           -               4        28.860601494188217 0                  -      0.031364157252        -                    0.095635302001 0.016        0.096       0
locust-timeouts.json          locust     -           0.607792139053  4        6.58119732551      0                  0      0.530516006751        0.02915475947422648  0.584597784    0.51         0.58        4
locust-zero_stats.csv         locust     -           -               0        0                  -                  -      -                     -                    -              -            -           0
locust-zero_stats_history.csv locust     -           -               0        -                  -                  -      -                     -                    -              -            -           0
latency.hlog                  hdr        -           3               600      200                -                  -      0.0035174481066666654 0.002436093694109002 0.017481727    0.002854911  0.013631487 600
latency.hgrm                  hdr        -           -               600      -                  -                  -      0.003517              -                    0.017482       0.002966     0.013631    600
oha.json                      oha        -           0.227225333     60       264.05506467       1                  360    0.019938636366666658  -                    0.080107731    0.007599596  0.080107731 60
oha-503.json                  oha        -           0.081867812     60       732.88876952       0                  300    0.006716521266666666  -                    0.027351708    0.002504579  0.027351708 60
oha-refused.json              oha        -           0.014404281     4        0                  0                  0      -                     -                    -              -            -           0
`;

const ERRORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'oha-503.json': { 'status 503': 60 },
  'oha-refused.json': { 'connect Connection refused (os error 111)': 4 },
  'wrk-tail-in-seconds.txt': { 'connect connect': 1754, 'read read': 40 },
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
  'autocannon-refused.json': { 'connect connection': 2168 },
  'autocannon-timeouts.json': { 'timeout timeout': 4 },
  'hey-timeouts.txt': {
    'timeout Get "http://127.0.0.1:19004/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)': 8,
  },
  'k6-refused-export.json': { 'other http_req_failed: no answer, or 4xx and 5xx': 842 },
  'k6-refused.txt': { 'other http_req_failed: no answer, or 4xx and 5xx': 842 },
  'k6-timeouts-export.json': { 'other http_req_failed: no answer, or 4xx and 5xx': 4 },
  'k6-timeouts-lines.json': { 'timeout request timeout': 4 },
  'k6-timeouts.txt': { 'other http_req_failed: no answer, or 4xx and 5xx': 4 },
  'locust-refused.json': { 'other failures': 4 },
  'locust-refused_stats.csv': { 'other failures': 4 },
  'locust-timeouts.json': { 'other failures': 4 },
  'vegeta-refused.json': {
    'connect Get "http://127.0.0.1:1/": dial tcp 0.0.0.0:0->127.0.0.1:1: connect: connection refused': 20,
  },
  'vegeta-refused.txt': {
    'connect Get "http://127.0.0.1:1/": dial tcp 0.0.0.0:0->127.0.0.1:1: connect: connection refused': 20,
  },
  'vegeta-timeouts.json': {
    'timeout Get "http://127.0.0.1:19004/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)': 5,
  },
  'vegeta-timeouts.txt': {
    'timeout Get "http://127.0.0.1:19004/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)': 5,
  },
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
  'ab-refused.txt': /the test did not end: apr_socket_recv: Connection refused \(111\)/,
  'ab-timeouts.txt': /the test did not end: apr_pollset_poll: The timeout specified has expired/,
  'ab-hang.txt': /the test did not end: apr_pollset_poll: The timeout specified has expired/,
  'k6-zero.txt': /no count of HTTP requests/,
  'k6-zero-export.json': /no count of HTTP requests/,
  'k6-zero-lines.json': /no HTTP request/,
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
    ['wrk-503.txt', /Every request failed\.\nwrk exits with 0 although/],
    ['oha-refused.json', /^Every request failed\./],
    ['wrk-timeouts.txt', /leaves answers after its timeout out/],
    ['wrk-hang.txt', /No request ended/],
    ['wrk-tail-in-seconds.txt', /wrk opened 29952 of 30000 connections/],
    ['wrk.txt', /above concurrency ÷ QPS: wrk adds assumed samples/],
    ['hey-refused.txt', /counts failed requests in its Requests\/sec/],
    ['k6.txt', /exited with 99/],
    ['k6-export.json', /exited with 99/],
    ['k6-mixed.json', /exited with 99/],
    ['ab-vary.txt', /counts 51 answers as failed because their length/],
    ['autocannon-mixed.json', /reconnects silently/],
    ['locust_stats.csv', /writes its CSV once a second/],
    ['locust-refused.json', /counts requests without an answer in its rate/],
    ['autocannon-hang.json', /No request ended/],
    ['locust-zero_stats.csv', /No request ended/],
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
      seconds: 2.01,
      requests: 5,
      qps: 1.99004975124,
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
