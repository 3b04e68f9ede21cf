import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConnected } from '#collectors/target/listening-ports.ts';
import { freePort } from '../../support/free-port.ts';
import { untilGrown } from '../../support/node-program.ts';
import { runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'load-auto-'));
const started: ChildProcess[] = [];

/** A server with one worker; with a second port, it keeps a connection to that one open and forwards to it. */
const PROGRAM = `
import { fork } from 'node:child_process';
import { Agent, createServer, request } from 'node:http';
const [behind] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
if (process.env.WORKER === '1') setInterval(() => undefined, 1000);
else {
  const worker = behind === undefined ? null : fork(process.argv[1], { env: { ...process.env, WORKER: '1' } });
  createServer({ keepAliveTimeout: 600_000 }, (_, answer) => {
    if (behind === undefined) return answer.end('ok');
    request({ port: behind, host: '127.0.0.1', agent }, (found) => found.pipe(answer)).end();
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port + ' ' + (worker?.pid ?? '')); });
}
`;

interface Started {
  readonly pid: number;
  readonly port: number;
  readonly worker: number;
}

async function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [join(folder, 'server.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const [port, worker] = await new Promise<number[]>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim().split(' ').map(Number)));
  });
  return { pid: child.pid!, port: port!, worker: worker ?? 0 };
}

let app: Started;
let gateway: Started;
beforeAll(async () => {
  writeFileSync(join(folder, 'server.mjs'), PROGRAM);
  app = await start();
  gateway = await start(String(app.port));
  for (const { pid } of [app, gateway]) await untilGrown(pid);
  // Opens the gateway's connection.
  await (await fetch(`http://127.0.0.1:${gateway.port}/`)).text();
});
afterAll(() => {
  if (gateway !== undefined) process.kill(gateway.worker, 'SIGKILL');
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const load = (...args: string[]) => runCli(['load', 'run', ...args, '--dry-run', '--json', '--library', folder]);
const url = (): string => `http://127.0.0.1:${gateway.port}/`;
interface Planned {
  readonly plan: { readonly server: { readonly pids: readonly number[]; readonly names?: readonly (string | null)[] } };
}

test('--pid auto finds who listens at the URL’s port, its workers, and what it is connected to', async () => {
  const { stdout, stderr, code } = await load(url(), '--pid', 'auto', '--profile', 'node');
  expect(code, stderr).toBe(0);
  expect((JSON.parse(stdout) as Planned).plan.server.pids).toEqual([gateway.pid, gateway.worker, app.pid]);
  expect(stderr).toMatch(
    new RegExp(
      `^Watched on \\S+: \\S+ \\(${gateway.pid}\\) :${gateway.port}, \\S+ \\(${gateway.worker}\\), \\S+ \\(${app.pid}\\) :${app.port}\\.$`,
      'm',
    ),
  );
});

test('is the default for an address of this machine’s loopback, and with --no-pid nothing is watched', async () => {
  const found = await load(url());
  expect((JSON.parse(found.stdout) as Planned).plan.server.pids).toEqual([gateway.pid, gateway.worker, app.pid]);
  expect(found.stderr).toMatch(/^Watched on /m);
  for (const none of [['--no-pid'], ['--pid', 'none']]) {
    const { stdout, stderr } = await load(url(), ...none);
    expect(JSON.parse(stdout)).not.toHaveProperty('plan.server');
    expect(stderr).not.toMatch(/[Ww]atched/);
  }
  // A plain run goes on, with a note; on another machine nothing is looked for.
  const missing = await load('http://127.0.0.1:1/');
  expect(missing.stderr).toMatch(/^The server is not watched: No process that listens at port 1 was found on /m);
  expect(JSON.parse(missing.stdout)).not.toHaveProperty('plan.server');
  const elsewhere = await load('http://192.0.2.1/');
  expect([elsewhere.code, elsewhere.stderr]).toEqual([0, expect.not.stringMatching(/[Ww]atched/)]);
});

test('of a port that Docker publishes, the container is to be named', async () => {
  const proxy = join(folder, 'docker-proxy');
  symlinkSync('/bin/sh', proxy);
  const port = await freePort();
  const args = ['-c', 'read -r _; :', 'sh', '-proto', 'tcp', '-host-port', String(port), '-container-port', '80'];
  const child = spawn(proxy, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  started.push(child);
  await once(child, 'spawn');
  const { stderr } = await load(`http://127.0.0.1:${port}/`);
  expect(stderr).toContain(
    `The server is not watched: docker-proxy forwards port ${port} to a container: name it with --component app=CONTAINER.`,
  );
});

test('a proxy with no open connection to another hop may have hops that are not found', async () => {
  const port = await freePort();
  const program = `process.title = 'nginx'; require('node:http').createServer().listen(${port}, '127.0.0.1')`;
  started.push(spawn(process.execPath, ['--inspect-port=0', '-e', program]));
  const at = `http://127.0.0.1:${port}/`;
  await expect
    .poll(async () => (await load(at)).stderr, { timeout: 20_000 })
    .toMatch(
      /^Watched on .*\. nginx may pass requests on: a hop without an open connection, or behind a UNIX socket, is not found; name it with --component app=:PORT or app=PID\.$/m,
    );
  expect((await load(at, '--component', `app=${app.pid}`)).stderr).not.toContain('may pass requests on');
});

test('an experiment shows the hops of servers that run already before it starts', async () => {
  const sides = ['--before-url', url(), '--after-url', `http://127.0.0.1:${app.port}/`, '--dry-run'];
  const run = (...args: string[]) =>
    runCli(['experiment', 'run', ...sides, '--library', join(folder, 'library'), ...args]);
  const { stderr } = await run('--component', `front=:${gateway.port}`);
  const front = `front (${gateway.pid}) :${gateway.port}, front (${gateway.worker})`;
  const names = `\\S+ \\(${app.pid}\\) :${app.port}`;
  expect(stderr).toMatch(new RegExp(`: ${front.replaceAll(/[()]/g, '\\$&')}, ${names}\\.$`, 'm'));
  expect((await run('--no-pid')).stderr).not.toContain('Watched');
  expect((await run('--no-pid', '--profile', 'perf')).code).toBe(2);
});

test('--component names the processes at a port, or one, with and without --pid', async () => {
  const named = await load(url(), '--pid', 'auto', '--component', `gateway=:${gateway.port}`);
  expect((JSON.parse(named.stdout) as Planned).plan.server.names).toEqual(['gateway', 'gateway', null]);
  const only = await load(url(), '--component', `app=${app.pid}`, '--component', `front=:${gateway.port}`);
  expect((JSON.parse(only.stdout) as Planned).plan.server).toMatchObject({
    pids: [app.pid, gateway.pid, gateway.worker],
    names: ['app', 'front', 'front'],
  });
  const added = await load(url(), '--pid', String(gateway.pid), '--component', `app=${app.pid}`);
  expect((JSON.parse(added.stdout) as Planned).plan.server).toMatchObject({
    pids: [gateway.pid, app.pid],
    names: [null, 'app'],
  });
});

test.each([
  [['http://127.0.0.1:1/', '--pid', 'auto'], 4, /No process that listens at port 1 was found on/],
  [['http://192.0.2.1/', '--pid', 'auto'], 2, /Processes are found on the machine that sends the requests/],
  [['http://127.0.0.1:1/', '--component', 'app=:1'], 2, /app=:1: no process that listens at this port/],
  [['http://127.0.0.1:1/', '--component', '=812'], 2, /--component =812: not NAME=PID, NAME=:PORT or NAME=GROUP/],
  [
    ['http://127.0.0.1:1/', '--component', 'a=no-such.service'],
    2,
    /no process of a container, pod or unit of this name/,
  ],
  [['http://127.0.0.1:1/', '--component', 'a=:99999'], 2, /not NAME=PID, NAME=:PORT or NAME=GROUP/],
  [['http://127.0.0.1:1/', '--profile', 'perf'], 4, /No process that listens at port 1 was found on/],
  [['http://192.0.2.1/', '--profile', 'perf'], 2, /give --pid or --component/],
  [['http://127.0.0.1:1/', '--no-pid', '--profile', 'perf'], 2, /give --pid or --component/],
  [['http://127.0.0.1:1/', '--no-pid', '--server', 'local'], 2, /--server needs processes to watch/],
])('load run %j is refused with exit code %i', async (args, code, line) => {
  const run = await load(...args);
  expect(run.stderr).toMatch(line);
  expect(run.code).toBe(code);
});

test('connections to this machine’s loopback are told by the other end’s port', () => {
  const row = (at: number, local: string, remote: string, state: string): string =>
    `   ${at}: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${100 + at} 1 0`;
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    row(0, '0100007F:9C40', '0100007F:1F90', '01'),
    row(1, '0100007F:9C41', '0100007F:1F91', '06'),
    row(2, '0A00000A:9C42', '08080808:01BB', '01'),
    row(3, `${'0'.repeat(24)}01000000:9C43`, `${'0'.repeat(24)}01000000:1F92`, '01'),
    row(4, `${'0'.repeat(16)}FFFF00000100007F:9C44`, `${'0'.repeat(16)}FFFF00000100007F:1F93`, '01'),
    row(5, '0100007F:1F90', '00000000:0000', '0A'),
  ].join('\n');
  expect([...parseConnected(table)]).toEqual([
    ['100', 8080],
    ['103', 8082],
    ['104', 8083],
  ]);
});
