import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { callCli } from '../../support/call-cli.ts';
import type { CliRun } from '../../support/run-cli.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/load');
const folder = mkdtempSync(join(tmpdir(), 'cli-probe-'));
const fixture = (name: string): string => join(FIXTURES, name);
const load = (...args: string[]): Promise<CliRun> =>
  callCli(['load', ...args], {
    env: { FLAMEBENCH_LIBRARY: join(folder, 'library'), FLAMEBENCH_CONFIG: join(folder, 'config') },
  });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('probes a URL on new and kept connections, and compares it with an earlier probe', async () => {
  const server = createServer((_, response) => void response.end('ok\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const saved = join(folder, 'probe.json');
    expect((await load('probe', url, '--repeat', '6', '--json', '-o', saved)).code).toBe(0);
    const { samples, summary } = JSON.parse(readFileSync(saved, 'utf8')) as {
      samples: { cold: { tcp: number; tls: null }; kept: { tcp: number } }[];
      summary: { cold: { total: { median: number; values: number } } };
    };
    expect(samples).toHaveLength(6);
    expect(summary.cold.total.values).toBe(6);
    expect(samples[0]).toMatchObject({ cold: { tls: null }, kept: { tcp: 0 }, status: 200 });
    const again = await load('probe', url, '--repeat', '6', '--before', saved);
    expect(again.stdout).toContain('6 probes · status 200');
    expect(again.stdout).toMatch(/^new connection \(6\)\n +phase +median +Δ/m);
    expect(again.stdout).toMatch(/^ *first byte .*\|·*█+·*\|$/m);
    const read = await load('read', saved, '--keep', '--name', 'saved');
    expect(read.stdout).toContain('6 probes · status 200');
    expect((await load('show', 'saved', '--csv')).stdout).toBe((await load('show', saved, '--csv')).stdout);
    expect(await load('show', saved, '--dat')).toMatchObject({ code: 2, stdout: '' });
    const mark = join(folder, 'restarts');
    const cold = await load('probe', url, '--repeat', '2', '--restart', `echo x >> ${mark}`);
    expect(readFileSync(mark, 'utf8')).toBe('x\nx\n');
    expect(cold.stdout).toMatch(/^first request, new connection \(2\)$/m);
    expect(cold.stdout).toMatch(/^second request, kept connection \(2\)$/m);
    writeFileSync(
      join(folder, 'cold.json'),
      (await load('probe', url, '--repeat', '1', '--idle', '1', '--json')).stdout,
    );
    const mixed = await load('diff', saved, join(folder, 'cold.json'));
    expect(mixed.stdout).toContain(
      'warning: The first requests are not comparable: without a restart or a pause before',
    );
    const dry = await load('probe', url, '--header', 'Authorization: Bearer abcdefghijklmnop', '--dry-run');
    expect(dry.stdout).toMatch(/sends 20 requests to http:.*\n +\/\S+curl --disable /);
    expect(dry.stdout).not.toContain('abcdefghijklmnop');
    const kept = await load(
      'probe',
      url,
      '--repeat',
      '2',
      '--idle',
      '0',
      '--restart',
      'true',
      '--keep',
      '--name',
      'near',
    );
    expect(kept.code, kept.stderr).toBe(0);
    expect((await load('probe', url, '--repeat', '2', '--keep', '--name', 'far')).code).toBe(0);
    expect((await load()).stdout).toMatch(/^load-\S+ +finished +2 probes +far\nload-\S+ +finished +2 probes +near$/m);
    expect((await load('show', 'near')).stdout).toMatch(/^second request, kept connection \(2\)$/m);
    const shown = JSON.parse((await load('show', 'near', '--json')).stdout) as { commands: string[][] };
    expect(shown.commands).toEqual([['sh', '-c', 'true'], expect.arrayContaining(['--disable', url])]);
    expect((await load('diff', 'near', 'far')).stdout).toMatch(/^ +phase +median +Δ/m);
    const requests = (await load('diff', 'near', 'far', '--csv')).stdout.split('\r\n');
    expect(requests[0]).toBe('side,request,dns (s),tcp (s),tls (s),firstByte (s),download (s),total (s),status');
    expect(requests[1]).toMatch(/^before,new connection,[\d.e-]+,[\d.e-]+,,[\d.e-]+,[\d.e-]+,[\d.e-]+,200$/);
    expect(requests.filter((line) => line.startsWith('after,kept connection,'))).toHaveLength(2);
    expect(await load('diff', 'near', 'far', '--fail-on', 'p99 > +10%')).toMatchObject({ code: 2 });
    expect((await load('probe', url, '--repeat', '2', '--before', 'near')).stdout).toMatch(/^ +phase +median +Δ/m);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('probes with the CORS preflight of a browser, and compares it with probes without', async () => {
  const asked: string[] = [];
  const server = createServer(({ method, headers }, response) => {
    const names = headers['access-control-request-headers'] ?? '';
    asked.push(`${method} ${headers.origin} ${headers['access-control-request-method'] ?? ''} ${names}`.trim());
    response.writeHead(method === 'OPTIONS' && headers.origin?.includes('evil') === true ? 405 : 200).end('ok\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const saved = join(folder, 'preflight.json');
    const words = ['probe', url, '--preflight', 'https://app.example', '--header', 'X-Token: a', '--repeat', '2'];
    const { code, stderr } = await load(...words, '--json', '-o', saved);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('sends 8 requests');
    const pair = ['OPTIONS https://app.example GET x-token', 'GET https://app.example'];
    expect(asked).toEqual([...pair, ...pair, ...pair, ...pair]);
    const { samples } = JSON.parse(readFileSync(saved, 'utf8')) as {
      samples: { cold: { preflight: number }; kept: { preflight: number } }[];
    };
    expect(samples[0]!.cold.preflight).toBeGreaterThan(0);
    expect(samples[0]!.kept.preflight).toBeGreaterThan(0);
    const compared = await load('probe', url, '--repeat', '2', '--before', saved);
    expect(compared.stdout).toContain('warning: Only the requests before have a CORS preflight');
    expect((await load('diff', saved, saved)).stdout).toMatch(/^ +preflight +\S+ \S+ +0 ns/m);
    const refused = await load('probe', url, '--preflight', 'https://evil.example');
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toMatch(/preflight of probe 1 was refused with status 405/);
    expect(await load('probe', url, '--preflight', 'app.example')).toMatchObject({ code: 2 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 180_000);

it.each([
  [['probe', 'http://127.0.0.1:1/'], 4, /Probe 1 failed: .*connect/i],
  [
    ['probe', 'http://127.0.0.1:1/', '--restart', 'echo broken >&2; exit 3'],
    4,
    /restart command failed on \S+ \(exit code 3\): broken/,
  ],
  [['probe', '--repeat', '0', 'http://a/'], 2, /not a number from 1 to 1000/],
  [['probe', 'file:///etc/passwd'], 2, /not an http or https URL/],
  [['probe', 'http://a/', '--before', fixture('wrk.txt')], 2, /wrk has no probes/],
  [['probe', 'http://a/', '--csv', '--dat'], 2, /load probe does not take --dat; it is for load run, show, read/],
  [['list', '--dat'], 2, /load list does not take --dat/],
  [['rename', 'x', 'y', '--csv'], 2, /load rename does not take --csv/],
  [['show', 'x', '--pid', '1'], 2, /load show does not take --pid; it is for load run$/m],
  [
    ['run', 'http://127.0.0.1:1/', '--concurrency', '2', '--warm-up', '0'],
    4,
    /could not connect at 2 connections: 127\.0\.0\.1:1 Connection refused/,
  ],
  [['run', 'ftp://a/'], 2, /not an http or https URL/],
  [['show', 'x', '--knee-success', '101'], 2, /more than 100 %/],
  [['show', 'x', '--knee-latency', 'soon'], 2, /--knee-latency soon: not a number/],
  [['hops', fixture('wrk.txt')], 2, /load hops wants 2 to 8 load tests; name the innermost/],
  [['hops', fixture('wrk.txt'), fixture('wrk-503.txt')], 2, /no concurrency in common/],
  [['run', 'http://a/', '--concurrency', '2,2'], 2, /names a number twice/],
  [['run', 'http://a/', '--concurrency', '10,0'], 2, /^flamebench: --concurrency must be at least 1; /],
  [['run', 'http://a/', '--seconds', '0'], 2, /^flamebench: --seconds must be at least 1; /],
  [['run', 'http://a/', '--repeat', '101'], 2, /^flamebench: --repeat must be at most 100; /],
  [['run', 'http://a/', '--pid', '0'], 2, /^flamebench: --pid must be above 0; /],
  [
    ['run', 'http://a/', '--pid', '1', '--profile', 'perf', '--rate', '0'],
    2,
    /^flamebench: --rate must be at least 1; /,
  ],
  [['run', 'http://a/', '--header', ''], 2, /^flamebench: --header is empty; /],
  [['run', 'http://a/', '--tool', 'ab'], 2, /use wrk, hey, locust/],
  [['run', 'http://a/', '--tool', 'locust'], 2, /Locust needs a file/],
  [['run', 'http://a/', '--tool', 'locust', '-f', 'a.py', '--staircase'], 2, /LoadTestShape/],
  [['run', 'http://a/', '--staircase', '--cool-down', '2'], 2, /--staircase has no pauses/],
  [['run', 'http://a/', '--series', 'probe:99'], 2, /probe:RATE \(1 to 50\)/],
  [['run', 'http://a/', '--seconds', '0'], 2, /seconds/],
  [['run', 'http://a/', '--series', '-n'], 2, /--series "-n" is not a source; give http:/],
  [
    ['run', 'http://a/', '--pid', '1', '--profile', 'gdb'],
    2,
    /--profile gdb: .*use perf, pprof, node, java, python, bpftrace, stap/,
  ],
  [
    ['run', 'http://a/', '--pid', '1', '--profile', 'pprof', '--rate', '9'],
    2,
    /--rate is for --profile perf, python, bpftrace, stap/,
  ],
  [['run', 'http://a/', '--pid', '1', '--profile', 'java', '--rate', '9'], 2, /--rate is for --profile perf, python/],
  [
    ['run', 'http://a/', '--pid', '1', '--profile', 'python', '--rate', '1001'],
    2,
    /^flamebench: --rate must be at most 1000; /,
  ],
  [['run', 'http://a/', '--pid', '1,2', '--profile', 'pprof', '--profile-url', 'http://b/'], 2, /is for one --pid/],
  [
    ['run', 'http://a/', '--pid', '1', '--profile', 'pprof', '--profile-url', 'ftp://b'],
    2,
    /not an address of a service/,
  ],
  [['run', 'http://a/', '--pid', '1', '--profile', 'stap', '--recipe', 'latency'], 2, /not a recipe for load tests/],
] as const)('load %j is refused with exit code %i', async (args, code, message) => {
  const run = await load(...args);
  expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) as string });
});

it.each([
  [['read', fixture('ab-refused.txt')], 3, /ab-refused\.txt: malformed: .*did not end: .*refused \(111\) \(line 1\)/],
  [['read', join(FIXTURES, '../../../package.json')], 3, /unrecognized.*it reads results of .*wrk/],
  [['read', '/nowhere/wrk.txt'], 3, /nowhere\/wrk\.txt/],
  [['read'], 2, /needs a file/],
  [['show', 'nothing'], 2, /neither a file nor a load test/],
  [['diff', fixture('wrk.txt')], 2, /wants BEFORE and AFTER/],
  [['diff', fixture('wrk.txt'), fixture('k6.txt')], 2, /no concurrency in common.*before: 8; after: 4/],
  [['diff', fixture('wrk.txt'), fixture('wrk.txt'), '--fail-on', 'p98 > 1%'], 2, /unknown metric 'p98'/],
  [
    ['diff', fixture('wrk.txt'), fixture('wrk.txt'), '--fail-on', 'qps@9 < -5%', '--inconclusive', 'pass'],
    2,
    /--fail-on qps@9 < -5%: neither side has a step @9; the steps are 8$/m,
  ],
  [['fly'], 2, /unknown action 'fly'/],
] as const)('load %j exits with %i', async (args, code, message) => {
  const run = await load(...args);
  expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) as string });
  expect(run.stderr.trim().split('\n')).toHaveLength(1);
});
