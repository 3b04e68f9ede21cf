import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { callCli } from '../../support/call-cli.ts';
import type { CliRun } from '../../support/run-cli.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/load');
const folder = mkdtempSync(join(tmpdir(), 'cli-load-'));
const fixture = (name: string): string => join(FIXTURES, name);
const load = (...args: string[]): Promise<CliRun> =>
  callCli(['load', ...args], {
    env: { FLAMEBENCH_LIBRARY: join(folder, 'library'), FLAMEBENCH_CONFIG: join(folder, 'config') },
  });
const dat = (name: string, ...lines: string[]): string => {
  writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
  return join(folder, name);
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('prints the results of several tools as one sweep', async () => {
  const { code, stdout } = await load(
    'read',
    fixture('wrk.txt'),
    fixture('wrk-503.txt'),
    fixture('hey.txt'),
    '--concurrency',
    '20',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +4 +1 +2,912 +0\.00 %/m);
  expect(stdout).toMatch(/^ +8 +1 +1,071 +100\.00 % +11\.9 ms/m);
  expect(stdout).toMatch(/^ +20 +1 +1,002 +100\.00 % +6\.3 ms/m);
  expect(stdout).toContain('no knee found: it takes 3 runs of each step');
  expect(stdout).toContain('errors at 4 connections: status: 2969');
});

it('keeps results in the library, lists, shows, renames, deletes and restores them', async () => {
  copyFileSync(fixture('wrk.txt'), join(folder, 'first.txt'));
  const kept = await load('read', join(folder, 'first.txt'), '--keep', '--json');
  const { id, state, steps } = JSON.parse(kept.stdout) as {
    id: string;
    state: string;
    steps: { concurrency: number }[];
  };
  expect([state, steps.map(({ concurrency }) => concurrency)]).toEqual(['finished', [8]]);
  expect((await load()).stdout).toBe(`${id}  finished     1 run      first\n`);
  expect((await load('show', 'fir', '--dat')).stdout).toBe(
    '# concurrency QPS mean(ms) success(%)\n8 1071.48 11.91 100.00\n',
  );
  expect((await load('rename', id, 'second')).stdout).toBe(`${id} is now second\n`);
  expect((await load('delete', 'second')).stdout).toBe(`${id} moved to the trash\n`);
  expect((await load()).stdout).toMatch(/^No load tests/);
  const env = { FLAMEBENCH_LIBRARY: join(folder, 'library'), FLAMEBENCH_CONFIG: join(folder, 'config') };
  expect((await callCli(['captures', 'trash', 'restore', id], { env })).code).toBe(0);
  expect((await load('show', 'second')).stdout).toContain('1,071');
});

it('deletes the load tests that it finds, and names those that it does not', async () => {
  const kept = await load('read', fixture('wrk.txt'), '--keep', '--name', 'gone', '--json');
  const { id } = JSON.parse(kept.stdout) as { id: string };
  const { code, stdout, stderr } = await load('delete', 'nope', 'gone', 'neither');
  expect([code, stdout]).toEqual([2, `${id} moved to the trash\n`]);
  expect(stderr.match(/\w+ is neither a file nor a load test/g)).toEqual([
    'neither is neither a file nor a load test',
    'nope is neither a file nor a load test',
  ]);
  expect((await load()).stdout).not.toContain(id);
});

it('reads the HAR file of a browser, keeps its probes, and compares two', async () => {
  const har = (name: string, wait: number): string => {
    const at = (place: number): string => new Date(Date.UTC(2026, 0, 1) + place * 1000).toISOString();
    const entries = [0, 1, 2, 3, 4, 5].map((place) => ({
      startedDateTime: at(place),
      request: { method: 'GET', url: `http://a/api?n=${place}` },
      response: { status: 200 },
      timings: { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 0, wait: wait + place, receive: 1 },
    }));
    writeFileSync(join(folder, name), JSON.stringify({ log: { creator: { name: 'WebInspector' }, entries } }));
    return join(folder, name);
  };
  const [before, after] = [har('slow.har', 100), har('fast.har', 10)];
  const shown = await load('read', before);
  expect(shown.stdout).toMatch(/^http:\/\/a\/api · 6 probes · status 200$/m);
  expect(shown.stdout).toMatch(/^ *blocked +1 ms/m);
  expect(shown.stdout).toMatch(/^new connection: no request$/m);
  const kept = await load('read', before, '--keep', '--name', 'slow', '--json');
  const { id } = JSON.parse(kept.stdout) as { id: string };
  const compared = await load('diff', id, after);
  expect(compared.code, compared.stderr).toBe(0);
  expect(compared.stdout).toMatch(/^ *first byte .*-90 ms/m);
  expect((await load('read', before, '--url', 'POST')).stderr).toMatch(/no answered request matches/);
});

it('compares two .dat files and decides a condition', async () => {
  const before = dat('before.dat', '200 1000 20 100', '200 1010 19.9 100', '200 990 20.1 100');
  const after = dat('after.dat', '200 1500 13.3 100', '200 1510 13.2 100', '200 1490 13.4 100');
  const good = await load('diff', before, after, '--fail-on', 'qps < -5%', '--fail-on', 'mean > +10%');
  expect(good.code).toBe(0);
  expect(good.stdout).toMatch(/QPS +1,000 → 1,500, \+500 ± [\d.]+ \(\+50\.0 %\): ▲ grew/);
  const table = (await load('diff', before, after, '--csv')).stdout.split('\r\n');
  expect(table[0]).toBe(
    'concurrency,metric,unit,before,after,delta,delta (ratio to before),interval from,interval to,q,verdict,component',
  );
  expect(table.find((line) => line.startsWith('200,QPS,'))).toMatch(/^200,QPS,\w*,1000,1500,500,0\.5,4\d\d.*,grew,$/);
  const hops = (await load('hops', after, before, '--csv')).stdout.split('\r\n');
  expect(hops[0]).toMatch(
    /^concurrency,hop,QPS,CPU \(0 to 1 per CPU\),CPU per request \(s\),QPS per core,mean \(s\),added to mean \(s\),/,
  );
  expect(hops.slice(1, 3).map((line) => line.split(',').slice(0, 3))).toEqual([
    ['200', 'after', '1500'],
    ['200', 'before', '1000'],
  ]);
  expect(Number(hops[2]!.split(',')[7])).toBeCloseTo(0.0067, 6);
  const saved = join(folder, 'hops.json');
  expect((await load('hops', after, before, '--json', '-o', saved)).code).toBe(0);
  expect((await load('read', saved)).stdout).toBe((await load('hops', after, before)).stdout);
  expect(await load('read', saved, before)).toMatchObject({ code: 2, stderr: expect.stringContaining('has hops') });
  expect(await load('read', saved, '--keep')).toMatchObject({ code: 2 });
  const sweep = join(folder, 'sweep.json');
  expect((await load('read', before, '--knee-success', '99.5', '--json', '-o', sweep)).code).toBe(0);
  expect(JSON.parse((await load('read', sweep, '--json')).stdout)).toMatchObject({
    kneeBound: { leastSuccess: 0.995 },
  });
  expect((await load('diff', sweep, after, '--csv')).stdout.split('\r\n').slice(0, 3)).toEqual(table.slice(0, 3));
  const bad = await load('diff', after, before, '--fail-on', 'qps < -5%');
  expect(bad.code).toBe(1);
  expect(bad.stderr).toMatch(/--fail-on qps < -5%: failed: 200 connections: 1,500 → 1,000 \(-\d/);
  const open = await load('diff', fixture('wrk.txt'), fixture('wrk.txt'), '--fail-on', 'p99 > +10%');
  expect(open.code).toBe(5);
  expect(open.stderr).toContain('3 runs a side would settle it');
  const wider = dat('wider.dat', '200 1000 20 100', '300 1000 20 100');
  const added = await load('diff', before, wider, '--fail-on', 'qps@300 < -5%');
  expect(added.code).toBe(5);
  expect(added.stderr).toContain('--fail-on qps@300 < -5%: inconclusive: 300 connections: no qps before');
});

it('plans a sweep, runs it with a real wrk, and keeps it', async () => {
  const server = createServer((_, response) => void response.end('ok\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const short = ['--concurrency', '4,2', '--seconds', '1', '--repeat', '1', '--warm-up', '0', '--threads', '1'];
    const dry = await load('run', url, ...short, '--dry-run');
    expect(dry.stdout).toContain('over up to 4 connections at a time: 2 steps (2 and 4 connections), 2 runs of 1 s');
    expect(dry.stdout).toContain(`-t 1 -c 4 -d 1s -T 30s --latency ${url}`);
    const steps = async (...asked: string[]): Promise<number[]> => {
      const { stdout } = await load('run', url, '--dry-run', '--json', ...asked);
      return (JSON.parse(stdout) as { plan: { concurrencies: number[] } }).plan.concurrencies;
    };
    expect(await steps()).toEqual([10, 20, 50, 100, 200]);
    // Steps beyond this machine's limits are left out.
    expect([200, 500, 1000, 3000, 5000, 10_000, 15_000, 20_000, 25_000, 50_000].join()).toContain(
      (await steps('--concurrency', 'high')).join(),
    );
    expect((await load('--help')).stdout).toContain('It needs 50,100 open files per process');
    expect((await load()).stdout).not.toContain(url);
    const run = await load('run', url, ...short, '--json');
    const found = JSON.parse(run.stdout) as { state: string; plan: { url: string }; steps: { concurrency: number }[] };
    expect([run.code, found.state, found.plan.url]).toEqual([0, 'finished', url]);
    expect(found.steps.map(({ concurrency }) => concurrency)).toEqual([2, 4]);
    expect((await load()).stdout).toContain(`2 runs     ${url}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('exits with 4 if every request failed, and keeps the load test', async () => {
  const server = createServer((_, response) => void response.writeHead(503).end('no\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const run = await load('run', url, '--concurrency', '2', '--seconds', '1', '--repeat', '1', '--warm-up', '0');
    expect([run.code, run.stderr]).toEqual([
      4,
      expect.stringMatching(/Every request failed: status: \d+; flamebench load show load-\S+ shows what is kept/),
    ]);
    expect((await load()).stdout).toMatch(new RegExp(`^load-\\S+ +failed +1 run +${url}$`, 'm'));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('says if a port speaks the other scheme', async () => {
  const [key, cert] = ['key', 'cert'].map((name) => join(folder, `${name}.pem`)) as [string, string];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const plain = createServer((_, response) => void response.end('ok\n'));
  const secure = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) });
  const servers = [plain, secure];
  try {
    const [http, https] = await Promise.all(
      servers.map(async (server) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return (server.address() as AddressInfo).port;
      }),
    );
    const short = ['--concurrency', '2', '--seconds', '1', '--repeat', '1', '--warm-up', '0'];
    for (const [action, url, said] of [
      ['run', `https://127.0.0.1:${http}/`, `port ${http} speaks http, not https. Write the URL with http://.`],
      ['run', `http://127.0.0.1:${https}/`, `port ${https} speaks https, not http. Write the URL with https://.`],
      ['probe', `https://127.0.0.1:${http}/`, `port ${http} speaks http, not https. Write the URL with http://.`],
      ['probe', `http://127.0.0.1:${https}/`, `port ${https} speaks https, not http. Write the URL with https://.`],
    ] as const) {
      const done = await load(action, url, ...(action === 'run' ? short : []));
      expect([done.code, done.stderr]).toEqual([4, expect.stringContaining(said)]);
    }
  } finally {
    for (const server of servers) server.close();
  }
});

it('lists components of one side in CSV, and separates tables by one line', async () => {
  interface Saved {
    steps: { runs: object[] }[];
  }
  const at = [1, 2, 3, 4, 5, 6, 7, 8];
  const ids = ['qps', 'p50', 'p99', 'mean'];
  const overTime = { name: 'wrk', pid: null, at, series: ids.map((id) => ({ id, values: at.map(() => 0.01) })) };
  const saved = (name: string, cores: Readonly<Record<string, number>>): string => {
    const server = Object.entries(cores).map(([one, used], place) => ({ name: one, pid: place + 1, cores: used }));
    const steps = sweep.steps.map((step) => ({
      ...step,
      runs: step.runs.map((run) => ({ ...run, server, overTime })),
    }));
    writeFileSync(join(folder, name), JSON.stringify({ ...sweep, steps }));
    return join(folder, name);
  };
  const sweep = JSON.parse((await load('read', fixture('wrk.txt'), '--json')).stdout) as Saved;
  const [before, after] = [saved('direct.json', { app: 0.5 }), saved('hop.json', { app: 0.5, proxy: 0.25 })];
  const rows = (await load('diff', before, after, '--csv')).stdout.split('\r\n').map((line) => line.split(','));
  // 0.25 CPUs for 1,071 answers per second: 233 µs each.
  const proxy = rows.filter((cells) => cells.at(-1) === 'proxy');
  expect(proxy.map((cells) => [cells[0], cells[3], cells[5], cells[10]])).toEqual(proxy.map(() => ['8', '', '', '']));
  expect(Number(proxy.find(([, metric]) => metric === 'CPU per request')![4])).toBeCloseTo(0.25 / 1071, 5);
  const { stdout } = await load('show', after);
  expect(stdout.match(/\n\n/g)!.length).toBeGreaterThan(3);
  expect(stdout).not.toContain('\n\n\n');
});
