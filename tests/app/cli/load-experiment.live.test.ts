import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shiftOf } from '#core/load/probe.ts';
import { findCommand } from '../../../scripts/components.mjs';
import { freePort } from '../../support/free-port.ts';
import { needing, type Need } from '../../support/needing.ts';
import { runCli, type CliRun } from '../../support/run-cli.ts';

const go: Need = { name: 'go', present: () => spawnSync('go', ['version']).status === 0 };
const nginx: Need = { name: 'nginx', present: () => findCommand('nginx') !== null };
const folder = mkdtempSync(join(tmpdir(), 'load-experiment-'));
const library = join(folder, 'library');
const servers: ChildProcess[] = [];
afterAll(() => {
  // nginx ends its workers.
  for (const server of servers) server.kill(server.spawnfile.endsWith('nginx') ? 'SIGTERM' : 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const program = join(folder, 'apiserver');
/** A token that the sample accepts, see its middleware.go. */
const token = `ada.${createHmac('sha256', 'a sample, not a secret').update('ada').digest('hex')}`;

async function startServer(dump: boolean): Promise<{ readonly url: string; readonly pid: string }> {
  const argv = ['-n', '5', program, '-listen', '127.0.0.1:0', `-dump=${dump}`];
  const server = spawn('nice', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(server);
  const address = await new Promise<string>((resolve) => {
    server.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { url: `${address}/v1/orders`, pid: String(server.pid) };
}

/** Starts nginx with two workers in front of a port; returns its address. */
async function startNginx(behind: number): Promise<string> {
  const port = await freePort();
  const own = mkdtempSync(join(folder, 'nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${own}/${one};`,
  );
  writeFileSync(
    join(own, 'nginx.conf'),
    `daemon off; pid ${own}/pid; error_log stderr; worker_processes 2; events {}
http { access_log off; ${temporary.join(' ')}
  upstream behind { server 127.0.0.1:${behind}; keepalive 8; }
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ""; } } }
`,
  );
  servers.push(spawn(findCommand('nginx')!, ['-p', own, '-c', join(own, 'nginx.conf')], { stdio: 'inherit' }));
  const address = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(address).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await sleep(50);
  return address;
}

const load = (...args: string[]): Promise<CliRun> => runCli(['load', ...args, '--library', library]);

interface Run {
  readonly id: string;
  readonly steps: readonly { readonly runs: readonly { readonly notes: readonly string[] }[] }[];
  readonly observed: readonly { readonly captures?: readonly { readonly id: string }[] }[];
}
interface Metric {
  readonly metric: string;
  readonly verdict: string;
  readonly before: { readonly runs: readonly number[] };
  readonly after: { readonly runs: readonly number[] };
}
interface Diff {
  readonly steps: readonly { readonly metrics: readonly Metric[] }[];
}

/** Posts an order of 20 lines. */
const LINES = Array.from({ length: 20 }, (_, line) => ({ article: `article ${line}`, quantity: 1, cents: 1 }));
const SCRIPT = `wrk.method = 'POST'\nwrk.body = '${JSON.stringify({ customer: 'ada', card: '4111', lines: LINES })}'\n`;

/**
 * The functions of the middleware: the inner one has about four fifths of its cost, from which on it represents the
 * change.
 */
const MIDDLEWARE = String.raw`main\.(?:handler\.dumpBodies\.func1|dumpBody)`;

needing(go, () => {
  beforeAll(() => {
    execFileSync('go', ['build', '-o', program, '.'], {
      cwd: join(import.meta.dirname, '../../../samples/programs/apiserver'),
    });
  }, 240_000);

  it('shows the cost of the dump middleware in QPS over six steps and in CPU per request', async () => {
    const script = join(folder, 'post.lua');
    writeFileSync(script, SCRIPT);
    const sides = [
      { name: 'dump', ...(await startServer(true)) },
      { name: 'no dump', ...(await startServer(false)) },
    ] as const;
    type Side = (typeof sides)[number];
    const run = async ({ url, pid }: Side, ...args: string[]): Promise<Run> => {
      const pauses = ['--warm-up', '0', '--cool-down', '0', '--threads', '1', '--repeat', '1'];
      const common = ['--header', `Authorization: Bearer ${token}`, '--script', script, '--pid', pid, ...pauses];
      const { code, stdout, stderr } = await load('run', url, ...common, ...args, '--json');
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as Run;
    };

    // Alternately, so that other load on this machine affects both sides.
    // Names of their own, for a second attempt.
    const names = randomUUID();
    const rounds = [1, 2, 3];
    for (const round of rounds) {
      for (const side of sides) {
        const sweep = ['--concurrency', '2,4,6,8,12,16', '--seconds', '1', '--name', `${side.name} ${names} ${round}`];
        expect((await run(side, ...sweep)).steps).toHaveLength(6);
      }
    }
    const captures: string[] = [];
    for (const side of sides) {
      const profiled = await run(side, '--concurrency', '8', '--seconds', '4', '--profile', 'pprof');
      expect(profiled.steps[0]!.runs[0]!.notes.filter((note) => note.startsWith('No profile'))).toEqual([]);
      captures.push(profiled.observed[0]!.captures![0]!.id);
    }

    const sweepsOf = ({ name }: Side): string[] => rounds.map((round) => `${name} ${names} ${round}`);
    const sweeps = ['--before', ...sweepsOf(sides[0]), '--after', ...sweepsOf(sides[1])];
    const compared = await load('diff', ...sweeps, '--json');
    expect(compared.code, compared.stderr).toBe(0);
    const { steps } = JSON.parse(compared.stdout) as Diff;
    const qps = steps.flatMap(({ metrics }) => metrics.filter(({ metric }) => metric === 'qps'));
    expect(qps).toHaveLength(6);
    // Over all steps, because single steps vary with this machine's other load.
    const before = qps.flatMap((metric) => metric.before.runs);
    const after = qps.flatMap((metric) => metric.after.runs);
    expect([before.length, after.length]).toEqual([18, 18]);
    expect(shiftOf(before, after)!.interval![0]).toBeGreaterThan(0);
    expect(qps.map(({ verdict }) => verdict)).not.toContain('shrank');

    const { stdout } = await runCli(['diff', '--library', library, ...captures]);
    expect(stdout).toMatch(/^cpu may have shrunk .* per request/m);
    expect(stdout).toMatch(new RegExp(`^${MIDDLEWARE} may be gone: total .* per request before, 0 after`, 'm'));
  }, 240_000);

  it('an experiment names the middleware that was switched off, and what it took per request, by itself', async () => {
    const script = join(folder, 'post.lua');
    writeFileSync(script, SCRIPT);
    const { port } = new URL((await startServer(false)).url);
    servers.pop()!.kill('SIGKILL');
    const url = `http://127.0.0.1:${port}/v1/orders`;
    const side = (dump: boolean): string[] => ['--', program, '-listen', `127.0.0.1:${port}`, `-dump=${dump}`];
    const pauses = ['--warm-up', '0', '--cool-down', '0', '--threads', '1', '--repeat', '3', '--seconds', '4'];
    const how = ['--header', `Authorization: Bearer ${token}`, '--script', script, '--concurrency', '8', ...pauses];
    const words = ['run', url, ...how, '--ready', `http://127.0.0.1:${port}/healthz`, '--profile', 'pprof', '--json'];
    const run = await runCli(['experiment', ...words, '--library', library, ...side(true), ...side(false)]);
    expect(run.code, run.stderr).toBe(0);
    const { conclusion, failure } = JSON.parse(run.stdout) as { conclusion: string[]; failure: string | null };
    expect(failure).toBeNull();
    expect(conclusion[0]).toMatch(/^At 8 connections: QPS .*; CPU per request .* → /);
    const at = conclusion.findIndex((line) => line.startsWith('Functions per request: '));
    expect(conclusion[at]).toMatch(new RegExp(`${MIDDLEWARE} is gone`));
    expect(conclusion.slice(at).join('\n')).toMatch(
      new RegExp(`^${MIDDLEWARE} is gone: total [\\d.]+ µs per request before, 0 after`, 'm'),
    );
  }, 240_000);

  needing(nginx, () => {
    it('finds nginx with its workers, and the Go server behind it, and tells their CPU apart', async () => {
      const app = await startServer(false);
      const { port } = new URL(app.url);
      const front = await startNginx(Number(port));
      // Opens a connection that nginx keeps.
      expect((await fetch(`${front}/debug/pprof/cmdline`)).status).toBe(200);
      const words = ['--concurrency', '4', '--seconds', '3', '--repeat', '1', '--warm-up', '0', '--threads', '1'];
      const { code, stderr, stdout } = await load('run', `${front}/debug/pprof/cmdline`, ...words, '--profile', 'perf');
      expect(code, stderr).toBe(0);
      const own = `nginx \\(\\d+\\) :${new URL(front).port}`;
      // Which of them Linux shows at the port is the same socket of all.
      expect(stderr).toMatch(new RegExp(`^Watched on \\S+: ${own}.*, apiserver \\(${app.pid}\\) :${port}\\.$`, 'm'));
      expect(stderr.match(/nginx \(\d+\)/g)).toHaveLength(3);
      for (const name of ['nginx', 'apiserver']) expect(stdout).toMatch(new RegExp(`^ *4 +${name} +`, 'm'));
      expect(stdout.match(/^ *4 +nginx /gm)).toHaveLength(1);
    }, 240_000);
  });
});
