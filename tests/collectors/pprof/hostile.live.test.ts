import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { pprofOptionsSchema, readPprofUrl, readTypedAddress } from '#core/contract/pprof.ts';
import type { RecordingOutcome } from '#collectors/collector.ts';
import { startPprof } from '#collectors/pprof/driver.ts';
import { parseListeners, parseOwnAddresses } from '#collectors/target/listeners.ts';
import { FETCH_LIMITS, type FetchLimits } from '#collectors/fetch/http-fetch.ts';
import { planPprof, sampledSeconds } from '#collectors/pprof/plan.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { measureProcess } from '../../../scripts/bench/measure-process.ts';
import { encodePprof, type PprofData } from '../../support/encode/pprof.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { clock } from '../../support/perf-recording.ts';

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({
    close: () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));

const OPTIONS: PprofOptions = {
  collector: 'pprof',
  scope: { kind: 'url', url: 'http://x/' },
  kinds: ['heap'],
  seconds: 1,
};

async function outcomeOf(
  url: string,
  limits: Partial<FetchLimits> = {},
  sink = new MemorySink(),
): Promise<RecordingOutcome> {
  const [plan] = planPprof({ ...OPTIONS, scope: { kind: 'url', url } }, url);
  return startPprof(createLocalTarget(), plan!, sink, clock, { ...FETCH_LIMITS, ...limits }).outcome;
}

describe('a hostile server', () => {
  test('ends an endless body at the limit, with its number', async () => {
    const url = await serve((_request, response) => {
      response.on('error', () => undefined);
      const write = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', write);
      };
      write();
    });
    expect(await outcomeOf(url, { bodyBytes: 4 << 20 })).toMatchObject({
      state: 'failed',
      error: { code: 'too-large', message: expect.stringContaining('more than 4 MiB') },
    });
  });

  test('does not read a body announced as too large', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': String(FETCH_LIMITS.bodyBytes + 1) });
      response.flushHeaders();
    });
    expect((await outcomeOf(url)).error?.message).toContain('more than 512 MiB');
  });

  test('refuses a gzip bomb with its ratio', async () => {
    const head = Buffer.from('goroutine profile: total 1\n');
    const bomb = gzipSync(Buffer.concat([head, Buffer.alloc(100 << 20, '\n')]), { level: 9 });
    const url = await serve((_request, response) => response.end(bomb));
    expect((await outcomeOf(url)).error?.message).toMatch(/too large: .*more than 500 times its size/);
  });

  test.each([
    ['another host', 'http://127.0.0.2:1/debug/pprof/heap', /redirects to http:\/\/127\.0\.0\.2:1/],
    ['a file', 'file:///etc/passwd', /redirects to file:/],
    ['nowhere', undefined, /redirects to nowhere/],
    ['itself', '/debug/pprof/heap', /more than 3 times/],
  ])('does not follow a redirect to %s', async (_name, location, message) => {
    const url = await serve((_request, response) => {
      response.writeHead(302, location === undefined ? {} : { location });
      response.end();
    });
    expect((await outcomeOf(url)).error?.message).toMatch(message);
  });

  test('follows a redirect on the same origin', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/moved')
        response.end('goroutine profile: total 1\n1 @ 0x1\n#\t0x1\tmain.main+0x1\t/a.go:1\n');
      else response.writeHead(302, { location: '/moved' }).end();
    });
    expect(await outcomeOf(url)).toMatchObject({ state: 'finished', samples: 1 });
  });

  test('ends a slow drip and silence at their limits, with their numbers', async () => {
    const dripping = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await outcomeOf(dripping, { bodyMs: 300 })).error).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('still sending after 0.3 s'),
    });
    const stalled = await serve((_request, response) => void response.write('x'));
    expect((await outcomeOf(stalled, { idleMs: 100 })).error?.message).toContain('sent nothing for 0.1 s');
    const silent = await serve(() => undefined);
    expect((await outcomeOf(silent, { headMs: 100 })).error?.message).toContain('sent nothing within 0.1 s');
  });

  test('reports a reset in the middle, or before the answer', async () => {
    const midway = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('x', () => response.socket?.resetAndDestroy());
    });
    expect((await outcomeOf(midway)).error?.code).toBe('connection-lost');
    const early = await listen(createTcpServer((socket) => socket.resetAndDestroy()));
    expect((await outcomeOf(early)).error?.message).toContain('closed the connection');
  });

  test.each([
    ['<html>hello</html>', 200, 'not-a-profile'],
    ['', 200, 'not-a-profile'],
    ['<title>404</title>', 404, 'no-pprof'],
    ['Could not enable CPU profiling: cpu profiling already in use', 500, 'already-profiling'],
    ["profile duration exceeds server's WriteTimeout", 400, 'write-timeout'],
    ['\u001b[31moh', 503, 'http-error'],
  ])('%j with status %i: %s', async (body, status, code) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body));
    const { state, error } = await outcomeOf(url);
    expect({ state, code: error?.code }).toEqual({ state: 'failed', code });
    expect(error?.message).not.toContain('\u001b');
  });

  test('a refusal is reported without the secrets of the address', async () => {
    const url = await serve((_request, response) => response.writeHead(401).end());
    const { error } = await outcomeOf(`${url}?token=s3cret`);
    expect(error?.message).toMatch(/debug\/pprof\/heap\?token=‹redacted› answered 401$/);
  });

  test('reports a service without HTTP, and a port without listener', async () => {
    const greeting = await listen(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')));
    expect((await outcomeOf(greeting)).error?.code).toBe('no-http');
    expect((await outcomeOf('http://127.0.0.1:1/')).error?.code).toBe('refused');
  });

  test('reports a full disk as such', async () => {
    const url = await serve((_request, response) => response.end('x'));
    expect((await outcomeOf(url, {}, new MemorySink(0))).error).toMatchObject({ code: 'disk-full' });
  });
});

describe('a hostile profile', () => {
  const sampleOf = (...locations: number[]): PprofData => ({
    sampleTypes: [['samples', 'count']],
    samples: [{ locations, values: [1] }],
    locations: [{ id: 1, address: 0x1000, lines: [[7, 1]] }],
    functions: [{ id: 1, name: 'main' }],
  });

  test.each([
    ['a location that does not exist', sampleOf(1, 99), /did not send a profile: .*a location that does not exist/],
    ['two locations with one id', twice(sampleOf(1)), /did not send a profile: .*two locations with one id/],
  ])('%s is refused with its place', async (_name, profile, message) => {
    const url = await serve((_request, response) => response.end(encodePprof(profile)));
    expect(await outcomeOf(url)).toMatchObject({
      state: 'failed',
      error: { code: 'not-a-profile', message: expect.stringMatching(message) },
    });
  });

  test('a function that does not exist leaves the address', async () => {
    const url = await serve((_request, response) => response.end(encodePprof(sampleOf(1))));
    expect(await outcomeOf(url)).toMatchObject({ state: 'finished', samples: 1, error: null });
  });

  test('10,000,000 samples are kept within bounded memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flamebench-many-'));
    try {
      const url = await serve((_request, response) => sendSamples(response, 10_000_000));
      const cli = fileURLToPath(new URL('../../../app/cli/flamebench.mjs', import.meta.url));
      const argv = [
        process.execPath,
        cli,
        'record',
        'pprof',
        `${url}debug/pprof/heap`,
        '--library',
        join(folder, 'library'),
        '--json',
      ];
      const output = join(folder, 'output.json');
      const { peakBytes } = await measureProcess(argv, output);
      expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({ captures: [{ samples: 10_000_000 }] });
      expect(peakBytes).toBeLessThan(1.5e9);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 300_000);
});

function twice(profile: PprofData): PprofData {
  return { ...profile, locations: [...profile.locations, ...profile.locations] };
}

/** Samples of one stack, as small as they get: 8 bytes each. */
function sendSamples(response: ServerResponse, samples: number): void {
  const one = { sampleTypes: [['samples', 'count']], samples: [{ locations: [1], values: [1] }] } as const;
  const rest = { locations: [{ id: 1, lines: [[1, 1]] }], functions: [{ id: 1, name: 'main' }] } as const;
  const whole = encodePprof({ ...one, ...rest });
  const sample = Uint8Array.from([0x12, 6, 0x0a, 1, 1, 0x12, 1, 1]);
  const block = new Uint8Array(8 * 10_000).map((_, at) => sample[at % 8]!);
  function* chunks(): Generator<Uint8Array> {
    // Fields come in any order; the profile has one sample already.
    yield whole;
    for (let sent = 1; sent < samples; sent += 10_000) yield block.subarray(0, 8 * Math.min(10_000, samples - sent));
  }
  Readable.from(chunks()).pipe(response);
}

describe('addresses', () => {
  test.each([
    ['http://a:6060', 'http://a:6060/', null, ''],
    ['http://a/ops/', 'http://a/ops/', null, ''],
    ['http://a/ops/?token=x', 'http://a/ops/', null, '?token=x'],
    ['http://a/ops/debug/pprof/', 'http://a/ops/', null, ''],
    ['http://a/debug/pprof', 'http://a/', null, ''],
    ['https://a/debug/pprof/profile?seconds=5', 'https://a/', 'cpu', '?seconds=5'],
    ['http://[::1]:1/x/debug/pprof/my.profile', 'http://[::1]:1/x/', 'my.profile', ''],
    ['http://a/debug/fgprof', 'http://a/', 'fgprof', ''],
    ['http://a/pprof/profile', 'http://a/', 'gperftools', ''],
  ])('parses %s', (url, root, kind, query) => {
    expect(readPprofUrl(url)).toEqual({ root, kind, query });
  });

  test.each([
    'file:///etc/passwd',
    'http://u:p@a/',
    'http://-oProxy/',
    'http://a/#x',
    'ftp://a/',
    'http://a b/',
    'http://a:123456/',
  ])('refuses %s', (url) => {
    const options = { ...OPTIONS, scope: { kind: 'url', url } };
    expect(pprofOptionsSchema.safeParse(options).success).toBe(false);
  });

  test.each([
    ['a:6060', 'http://a:6060', null],
    ['HTTPS://me:p%40ss@a/x', 'https://a/x', { user: 'me', password: 'p@ss' }],
    [' http://a/debug/pprof/heap#top ', 'http://a/debug/pprof/heap', null],
  ])('parses %j for %s', (text, url, credentials) => {
    expect(readTypedAddress(text)).toEqual({ url, credentials });
  });

  test.each(['', 'file:///etc/passwd', 'ftp://a/', 'http://', 'a b', 'http://%zz@a/', '-oProxyCommand=x'])(
    'does not parse %j',
    (text) => {
      expect(readTypedAddress(text)).toBeNull();
    },
  );

  test('keeps header names and values within a line', () => {
    for (const header of [
      { name: 'a\r\nb', value: 'x' },
      { name: 'a', value: 'x\r\ny' },
      { name: 'a b', value: 'x' },
    ]) {
      expect(pprofOptionsSchema.safeParse({ ...OPTIONS, headers: [header] }).success).toBe(false);
    }
  });

  test.each([
    ['http://a/ops/?token=x', 'heap', ['http://a/ops/debug/pprof/heap?token=x']],
    ['http://a/?token=x', 'cpu', ['http://a/debug/pprof/profile?token=x&seconds=7']],
    [
      'http://a/debug/pprof/goroutine?seconds=2&debug=1&token=x',
      'goroutine',
      ['http://a/debug/pprof/goroutine?seconds=2&debug=1&token=x', 'http://a/debug/pprof/goroutine?debug=2&token=x'],
    ],
    ['http://a/', 'goroutine', ['http://a/debug/pprof/goroutine', 'http://a/debug/pprof/goroutine?debug=2']],
    [
      'http://a/pprof/profile?token=x',
      'gperftools',
      ['http://a/pprof/profile?token=x&seconds=7', 'http://a/pprof/symbol?token=x'],
    ],
  ])('keeps the query of %s in every request for %s', (url, kind, requests) => {
    const [plan] = planPprof({ ...OPTIONS, kinds: [kind], seconds: 7, goroutineStates: true }, url);
    expect(plan!.steps.map((step) => (step.kind === 'request' ? step.url : null))).toEqual(requests);
  });

  test('keeps the typed duration; kinds without one answer immediately', () => {
    const planned = (url: string, more: Partial<PprofOptions> = {}): number[] =>
      planPprof({ ...OPTIONS, kinds: ['cpu', 'heap'], seconds: 7, ...more }, url).map(sampledSeconds);
    expect(planned('http://a/')).toEqual([7, 0]);
    expect(planned('http://a/', { delta: true })).toEqual([7, 7]);
    expect(planned('http://a/debug/pprof/profile?seconds=3')).toEqual([3]);
  });
});

test('finds the process’s listening ports, with the loopback for any address', () => {
  const line = (local: string, state: string, inode: number): string =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1`;
  const text = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    line('0100007F:17AC', '0A', 1),
    line('00000000:1F90', '0A', 2),
    line('0100007F:0016', '01', 3),
    line('0100007F:0050', '0A', 4),
    line('00000000000000000000000001000000:17AD', '0A', 5),
    line('00000000000000000000000000000000:17AE', '0A', 6),
  ].join('\n');
  expect(parseListeners(text, new Set(['1', '2', '3', '5', '6']))).toEqual([
    { host: '127.0.0.1', port: 6060 },
    { host: '127.0.0.1', port: 8080, isWildcard: true },
    { host: '[0:0:0:0:0:0:0:1]', port: 6061 },
    { host: '127.0.0.1', port: 6062, isWildcard: true },
  ]);
});

test('finds the addresses of a network namespace', () => {
  const text = [
    'Local:',
    '  +-- 0.0.0.0/0 3 0 5',
    '        |-- 127.0.0.1',
    '           /32 host LOCAL',
    '        |-- 172.17.0.0',
    '           /16 link UNICAST',
    '        |-- 172.17.0.2',
    '           /32 host LOCAL',
    '        |-- 172.17.255.255',
    '           /32 link BROADCAST',
  ];
  expect(parseOwnAddresses([...text, ...text, ''].join('\n'))).toEqual(['172.17.0.2']);
  expect(parseOwnAddresses('')).toEqual([]);
});
