import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LoadPlan } from '#core/contract/load/load-test.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { openLoadTests, type LoadTests } from '#app/engine/loads/load-tests.ts';
import { NO_LATENCY, type LoadResult } from '#core/contract/load/result.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { planLoad } from '#app/engine/loads/plan-load.ts';
import { startLoad } from '#app/engine/loads/run-load.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { RunOptions, Target } from '#collectors/target/target.ts';
import { LOCUST, locust } from '../../../support/locust.ts';
import { needing } from '../../../support/needing.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-load-'));
let target: Target;
let library: Library;
let tests: LoadTests;
const servers: Server[] = [];

beforeAll(async () => {
  target = createLocalTarget();
  library = await openLibrary(join(folder, 'library'));
  tests = await openLoadTests(library);
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(async () => {
  library.close();
  await target.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const plan = (url: string, changes: Partial<LoadPlan> = {}): LoadPlan => ({
  tool: 'wrk',
  url,
  headers: [],
  script: null,
  concurrencies: [2, 4],
  seconds: 1,
  repeats: 1,
  warmUp: 0,
  coolDown: 0,
  threads: 1,
  ...changes,
});

async function run(asked: LoadPlan) {
  const session = await startLoad(target, await planLoad(target, asked), { name: 'test', tests });
  return session.done;
}

it('a test that is full keeps runs without their vitals, then refuses them, and stays readable', async () => {
  const result: LoadResult = {
    tool: 'wrk',
    target: null,
    concurrency: 1,
    seconds: 1,
    requests: 1,
    qps: 1,
    success: 1,
    errors: [],
    bytes: 1,
    latency: NO_LATENCY,
    notes: [],
  };
  const values = Array.from({ length: 120 }, () => 1);
  const series = Array.from({ length: 40 }, (_, place) => ({ id: `other:${place}`, values }));
  const vitals = Array.from({ length: 64 }, (_, place) => ({ name: 'app', pid: place + 1, at: values, series }));
  const writer = await tests.create({ name: 'large', host: null, plan: null });
  // The first has 6.2 MB: 64 × 40 × 120 lines of 19 bytes, and their names.
  for (let run = 0; run < 2; run++) await writer.add({ startedAt: null, result, vitals }, '');
  const noted = { ...result, notes: Array.from({ length: 90 }, () => 'n'.repeat(10_000)) };
  const fill = async (): Promise<void> => {
    for (let run = 0; run < 9; run++) await writer.add({ startedAt: null, result: noted }, '');
  };
  await expect(fill()).rejects.toMatchObject({ code: 'too-large' });
  const { id } = await writer.finish('failed', 'no room');
  const [first, second, ...others] = (await tests.get(id)).runs;
  expect(first!.vitals).toHaveLength(64);
  expect(second).not.toHaveProperty('vitals');
  expect(second!.result.notes).toEqual([expect.stringMatching(/^Vitals and series of the run are not kept/)]);
  // Of 8 MiB, 2.1 MB are left for runs of 0.9 MB.
  expect(others).toHaveLength(2);
});

describe('with a real wrk', () => {
  it('sweeps a server, repeats, and stores each run with the output of wrk', async () => {
    const url = await serve((_, response) => void response.end('ok\n'));
    const test = await run(plan(url, { repeats: 2 }));
    expect(test).toMatchObject({ state: 'finished', message: null });
    expect(test!.runs.map(({ result }) => [result.concurrency, result.success])).toEqual([
      [2, 1],
      [4, 1],
      [2, 1],
      [4, 1],
    ]);
    for (const { result } of test!.runs) {
      expect(result.qps).toBeGreaterThan(0);
      expect(result.latency.percentiles.map(({ percent }) => percent)).toEqual([50, 75, 90, 99]);
    }
    expect(await tests.get(test!.id)).toEqual(test);
  });

  it('opens a connection for each request of --short-connections, and rises to each step of a staircase', async () => {
    let [requests, connections] = [0, 0];
    const url = await serve((_, response) => {
      requests += 1;
      response.end('ok\n');
    });
    servers[0]!.on('connection', () => (connections += 1));
    const levels: number[] = [];
    const asked = plan(url, { shortConnections: true, staircase: true, warmUp: 2, concurrencies: [2, 6] });
    const planned = await planLoad(target, asked);
    const withLevels = {
      ...target,
      run: (argv: readonly string[], options?: RunOptions) => {
        levels.push(Number(argv[argv.indexOf('-c') + 1]));
        return target.run(argv, options);
      },
    };
    const test = await (await startLoad(withLevels, planned, { name: 'short', tests })).done;
    expect(levels).toEqual([1, 2, 2, 4, 6, 6]);
    expect(test!.runs.map(({ result }) => result.success)).toEqual([1, 1]);
    // wrk ends within requests, and opens a connection to look at the server first.
    expect(Math.abs(connections - requests)).toBeLessThan(30);
    expect(requests).toBeGreaterThan(100);
  });

  it('counts the errors of a server that fails each request', async () => {
    const url = await serve((_, response) => void response.writeHead(500).end('no\n'));
    const test = await run(plan(url, { concurrencies: [2] }));
    expect(test).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^Every request failed: status: \d+\.$/) as string,
    });
    expect(test!.runs[0]!.result).toMatchObject({ success: 0, errors: [{ kind: 'status' }] });
    expect(test!.runs[0]!.result.notes.join()).toContain('Every request failed');
  });

  it('keeps nothing if the server refuses connections', async () => {
    const before = (await tests.list()).tests.length;
    await expect(run(plan('http://127.0.0.1:1/'))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('at 2 connections: 127.0.0.1:1 Connection refused') as string,
    });
    expect((await tests.list()).tests).toHaveLength(before);
  });

  it('takes a run of hey in which no request could connect for a refusal', async () => {
    const program = join(folder, 'hey');
    const report = join(import.meta.dirname, '../../../fixtures/load/hey-refused.txt');
    writeFileSync(program, `#!/bin/sh\ncat '${report}'\n`, { mode: 0o755 });
    const withHey = { ...target, findExecutable: () => Promise.resolve(program) };
    const planned = await planLoad(withHey, plan('http://127.0.0.1:1/', { tool: 'hey' }));
    const session = await startLoad(withHey, planned, { name: 'refused', tests });
    await expect(session.done).rejects.toMatchObject({
      code: 'refused',
      message: 'hey could not connect at 2 connections: dial tcp 127.0.0.1:1: connect: connection refused.',
    });
  });

  it('keeps the runs that completed before the server ended', async () => {
    const url = await serve((_, response) => void response.end('ok\n'));
    const planned = await planLoad(target, plan(url, { concurrencies: [1, 2, 3] }));
    const session = await startLoad(target, planned, {
      name: 'dying',
      tests,
      onProgress({ result }) {
        if (result === null) return;
        servers[0]?.closeAllConnections();
        servers[0]?.close();
      },
    });
    const test = await session.done;
    expect(test).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('could not connect at 2 connections') as string,
    });
    expect(test!.runs).toHaveLength(1);
  });

  it('keeps the complete runs and names the cause if wrk is killed', async () => {
    const url = await serve((_, response) => void response.end('ok\n'));
    const planned = await planLoad(target, plan(url, { seconds: 2 }));
    let killed = 0;
    const session = await startLoad(target, planned, {
      name: 'killed',
      tests,
      onProgress({ result }) {
        if (result === null || killed > 0) return;
        const kill = setInterval(() => {
          killed = spawnSync('pkill', ['-KILL', '-f', `^\\S*wrk .*${url}`]).status === 0 ? 1 : 0;
          if (killed === 1) clearInterval(kill);
        }, 200);
      },
    });
    const test = await session.done;
    expect(test!.state).toBe('failed');
    expect(test!.message).toMatch(/SIGKILL|killed/);
    expect(test!.runs.map(({ result }) => result.concurrency)).toEqual([2]);
  });

  it('stops with the complete runs, and cancels with none', async () => {
    const url = await serve((_, response) => void response.end('ok\n'));
    const stopped = await startLoad(target, await planLoad(target, plan(url)), {
      name: 'stopped',
      tests,
      onProgress: ({ result }) => result !== null && stopped.stop(),
    });
    expect(await stopped.done).toMatchObject({ state: 'stopped', runs: [{ result: { concurrency: 2 } }] });
    const cancelled = await startLoad(target, await planLoad(target, plan(url)), { name: 'cancelled', tests });
    cancelled.cancel();
    expect(await cancelled.done).toBeNull();
    await expect(tests.get(cancelled.id)).rejects.toMatchObject({ code: 'not-found' });
  });
});

it('leaves out steps with more connections than the machine can open, and says so', async () => {
  const planned = await planLoad(target, plan('http://127.0.0.1:1/', { concurrencies: [2, 999_999] }));
  expect(planned.plan.concurrencies).toEqual([2]);
  expect(planned.leftOut).toMatch(/^999,999 connections are left out: .*(ulimit -n|ip_local_port_range)/);
});

it.each(['ftp://a/', 'a', '-s', 'http://'])('refuses the address %j', async (url) => {
  await expect(planLoad(target, plan(url))).rejects.toMatchObject({ code: 'invalid-url' });
});

it('names the tool that is missing', async () => {
  const bare = { ...target, findExecutable: () => Promise.resolve(null) };
  await expect(planLoad(bare, plan('http://a/'))).rejects.toMatchObject({
    code: 'no-tool',
    message: /wrk is not installed/,
  });
});

it('reports the output of a tool that measured nothing', async () => {
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/wrk');
  writeFileSync(program, '#!/bin/sh\necho "no such option" >&2\nexit 2\n');
  chmodSync(program, 0o755);
  const planned = {
    ...(await planLoad({ ...target, findExecutable: () => Promise.resolve(program) }, plan('http://a/'))),
  };
  const session = await startLoad(target, planned, { name: 'broken', tests });
  await expect(session.done).rejects.toMatchObject({ code: 'tool-failed', message: /exit code 2\): no such option/ });
});

it('shows a test whose process ended as interrupted', async () => {
  const writer = await tests.create({ name: 'crashed', host: 'here', plan: null });
  rmSync(join(library.path, '.loads', writer.id, 'writer.lock'));
  expect(await tests.get(writer.id)).toMatchObject({ state: 'interrupted', runs: [] });
});

it('refuses to store a number that could not be read back', async () => {
  const writer = await tests.create({ name: 'odd', host: null, plan: null });
  const [result] = readLoadResults('10 100 2 100\n');
  await expect(writer.add({ startedAt: null, result: { ...result!, qps: Number.NaN } }, '')).rejects.toMatchObject({
    code: 'invalid-result',
    message: expect.stringContaining('result.qps') as string,
  });
  await writer.discard();
});

needing(locust, () => {
  const file = (content: string): string => {
    const path = join(folder, `users-${content.length}.py`);
    writeFileSync(path, content);
    return path;
  };
  const users =
    'from locust import HttpUser, task\nclass U(HttpUser):\n  @task\n  def get(self): self.client.get("/")\n';
  const runLocust = async (asked: LoadPlan) => {
    const withLocust = { ...target, findExecutable: () => Promise.resolve(LOCUST) };
    return (await startLoad(withLocust, await planLoad(withLocust, asked), { name: 'locust', tests })).done;
  };

  it('runs a file of Locust, whose history is the time line of the run', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      setTimeout(() => response.end('ok'), requests % 10 === 0 ? 300 : 10);
    });
    const asked = plan(url, { tool: 'locust', script: file(users), concurrencies: [4], seconds: 12, threads: null });
    const test = await runLocust(asked);
    const { result } = test!.runs[0]!;
    expect(result).toMatchObject({ tool: 'locust', concurrency: 4, success: 1, target: url });
    // Requests under way at the end are not counted.
    expect(requests - result.requests!).toBeLessThanOrEqual(4);
    expect(result.latency.populations).toMatchObject([{ share: expect.closeTo(0.9, 1) as number }, {}]);
    const valuesOf = (id: string) => result.overTime!.series.find((one) => one.id === id)!.values;
    expect(result.overTime!.at.length).toBeGreaterThanOrEqual(8);
    expect(valuesOf('clients').at(-2)).toBe(4);
    expect(valuesOf('p99').findLast((value) => value !== null)).toBeGreaterThanOrEqual(0.3);
    expect(test!.commands![0]!.join(' ')).toContain('--headless --json --csv load --csv-full-history -f');
    expect(await tests.get(test!.id)).toEqual(test);
  });

  it('says why Locust could not start', async () => {
    const asked = { tool: 'locust' as const, concurrencies: [1], threads: null };
    await expect(
      runLocust(plan('http://127.0.0.1:1/', { ...asked, script: file('import nosuchmodule\n') })),
    ).rejects.toMatchObject({
      code: 'tool-failed',
      message: expect.stringContaining("ModuleNotFoundError: No module named 'nosuchmodule'") as string,
    });
    await expect(runLocust(plan('http://127.0.0.1:1/', { ...asked, script: '/no/file.py' }))).rejects.toMatchObject({
      code: 'no-script',
    });
  });
});
