import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { LoadPlan } from '#core/contract/load/load-test.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { componentUses } from '#core/load/components.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { openLoadTests, type LoadTests } from '#app/engine/loads/load-tests.ts';
import { planLoad, plannedText } from '#app/engine/loads/plan-load.ts';
import { startLoad } from '#app/engine/loads/run-load.ts';
import { compileBurst } from '../../../support/burst-program.ts';
import { endStartedProcesses, startReady } from '../../../support/busy-process.ts';
import { javaPrograms, jdk, recordingsOf } from '../../../support/java-program.ts';
import { needing } from '../../../support/needing.ts';
import { HOT_PYTHON, PY_SPY_FOLDER, pySpy } from '../../../support/py-spy.ts';
import { endPythonPrograms, startPythonProgram } from '../../../support/python-program.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';

/** Works a little for each request, and prints its port. */
const SERVER = `const server = require('node:http').createServer((_, response) => {
  let sum = 0;
  for (let i = 0; i < 20_000; i++) sum += Math.sqrt(i);
  response.end(String(sum));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

const folder = mkdtempSync(join(tmpdir(), 'watch-server-'));
let target: Target;
let library: Library;
let tests: LoadTests;
let server: ChildProcess;
let url: string;

vi.stubEnv('PATH', `${PY_SPY_FOLDER}:${process.env['PATH']}`);
const java = javaPrograms();
endPythonPrograms();
endStartedProcesses();
beforeAll(async () => {
  target = createLocalTarget();
  library = await openLibrary(join(folder, 'library'));
  tests = await openLoadTests(library);
  server = spawn(process.execPath, ['--inspect-port=0', '-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) => {
    server.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  url = `http://127.0.0.1:${port}/`;
});
afterAll(async () => {
  server.kill('SIGKILL');
  library.close();
  await target.dispose();
  rmSync(folder, { recursive: true, force: true });
});

type Watched = Partial<NonNullable<LoadPlan['server']>>;

const plan = (watched: Watched, changes: Partial<LoadPlan> = {}): LoadPlan => ({
  tool: 'wrk',
  url,
  headers: [],
  script: null,
  concurrencies: [2, 4],
  seconds: 6,
  repeats: 1,
  warmUp: 0,
  coolDown: 0,
  threads: 1,
  server: { target: LOCAL_TARGET, pids: [server.pid!], profile: null, ...watched },
  ...changes,
});

/** Machines with other IDs are this one with another name, so they have the same PIDs. */
const planned = (asked: LoadPlan) =>
  planLoad(target, asked, {
    open: (id) => Promise.resolve(id === LOCAL_TARGET ? target : { ...target, host: id }),
    collector: collectorsWith({}),
  });

const run = async (asked: LoadPlan) =>
  (await startLoad(target, await planned(asked), { name: 'watched', tests, recordedInto: { library } })).done;

const perf = (at: 'each' | 'knee') => ({ collector: 'perf', rateHz: 99, callGraph: 'fp', at }) as const;

it('records the server within each run, and reads its vitals', async () => {
  const asked = plan({ profile: perf('each') });
  expect((await planned(asked)).commands.map(([program]) => program!.replace(/.*\//, ''))).toEqual([
    'wrk',
    'wrk',
    'perf',
    'perf',
  ]);
  const test = await run(asked);
  expect(test).toMatchObject({ state: 'finished', runs: [{ captures: [{ pid: server.pid }] }, {}] });
  for (const { captures, vitals, result } of test!.runs) {
    const document = await library.get(captures![0]!.id);
    expect(document.load).toMatchObject({ test: test!.id, concurrency: result.concurrency, run: 1, qps: result.qps });
    // The window is within the run.
    expect(document.load!.requests! / result.qps!).toBeCloseTo(document.durationMs! / 1000, 1);
    expect(document.load!.requests).toBeLessThan(result.requests!);
    expect(document.process?.pid).toBe(server.pid);
    const series = new Map(vitals![0]!.series.map(({ id, values }) => [id, values]));
    expect(Math.max(...series.get('sockets:established')!.map((value) => value ?? 0))).toBeGreaterThan(0);
    expect([...series.keys()]).toEqual(expect.arrayContaining(['cpu', 'rss', 'threads', 'switches', 'files']));
    expect(componentUses([result])[0]).toMatchObject({ name: 'node', pid: server.pid });
    expect(componentUses([result])[0]!.cores).toBeGreaterThan(0);
  }
  expect(await tests.get(test!.id)).toEqual(test);
});

it('notes that a process used far more CPU time than was sampled', async () => {
  const { pid } = await startReady(compileBurst(folder), []);
  const test = await run(plan({ pids: [pid], profile: { ...perf('each'), rateHz: 199 } }, { concurrencies: [1] }));
  const text = /rofile of \S+: perf sampled .* but the process used [\d.]+ s: the rest is missing\.$/;
  expect(test!.runs[0]!.result.notes).toContainEqual(expect.stringMatching(text));
});

it('of a gateway of another runtime, the app behind it is recorded, and the others are named', async () => {
  const { pid } = await startReady(compileBurst(folder), []);
  const asked = plan({ pids: [pid, server.pid!], profile: { collector: 'node', at: 'each' } }, { concurrencies: [2] });
  await expect.poll(() => planned(asked).catch(() => null)).not.toBeNull();
  const ready = await planned(asked);
  const [missing, ...others] = ready.server!.unrecorded;
  expect([missing, others]).toEqual([
    expect.stringMatching(/^No profile of burst: Node can't record on \S+: it runs burst, not node\.$/),
    [],
  ]);
  expect(plannedText(ready, 'here')).toContain(` ${missing}`);
  expect(ready.plan.series).toEqual([{ kind: 'node', pid: server.pid }]);
  const test = await run(asked);
  expect(test!.runs[0]).toMatchObject({ captures: [{ pid: server.pid }] });
  expect(test!.runs[0]!.result.notes).toContain(missing);
  await expect(planned(plan({ pids: [pid], profile: { collector: 'node', at: 'each' } }))).rejects.toThrow(
    'runs burst, not node',
  );
});

it('samples a Node server within each run, and reads its event loop', async () => {
  const asked = plan(
    { profile: { collector: 'node', at: 'each' } },
    { concurrencies: [2], series: [{ kind: 'node', pid: server.pid! }] },
  );
  // A process in its first second is left alone.
  await expect.poll(() => planned(asked).catch(() => null)).not.toBeNull();
  const ready = await planned(asked);
  expect(plannedText(ready, 'here')).toMatch(/local users can run code in the process\.$/);
  expect(ready.commands).toContainEqual(['kill', '-s', 'USR1', String(server.pid)]);
  const test = await run(asked);
  const [{ captures, vitals, result }] = test!.runs as [(typeof test & object)['runs'][number]];
  expect(result.notes.filter((note) => /profile|Node/.test(note))).toEqual([]);
  expect(await library.get(captures![0]!.id)).toMatchObject({
    state: 'finished',
    primaryFile: 'raw.cpuprofile',
    rateHz: 1000,
  });
  const loop = vitals!.find(({ pid }) => pid === null)!;
  expect(loop.name).toBe(`Node ${server.pid}`);
  const sockets = loop.series.find(({ id }) => id === 'other:TCPSocketWrap')!;
  expect(Math.max(...sockets.values.map((value) => value ?? 0))).toBeGreaterThan(0);
});

needing(jdk, () => {
  it('records a JVM within each run', async () => {
    const { pid } = await java.start();
    // Loading Flight Recorder takes seconds on a busy machine.
    recordingsOf(pid);
    const profile = { collector: 'java', at: 'each' } as const;
    const asked = plan({ pids: [pid], profile }, { concurrencies: [2], seconds: 12 });
    const ready = await planned(asked);
    expect(plannedText(ready, 'here')).toMatch(/Flight Recorder stays loaded in the JVM, .* until the JVM ends\.$/);
    expect(ready.commands).toContainEqual(expect.arrayContaining([String(pid), 'JFR.start']));
    await expectProfile(asked, { primaryFile: 'raw.jfr', process: { pid, runtime: 'jvm' } });
  });
});

needing(pySpy, () => {
  it('samples a Python process within each run, and refuses runs that py-spy can’t cover', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const profile = { collector: 'python', rateHz: 50, at: 'each' } as const;
    const asked = plan({ pids: [pid], profile }, { concurrencies: [2] });
    expect(plannedText(await planned(asked), 'here')).toMatch(
      /py-spy pauses the process while it reads each sample\.$/,
    );
    await expectProfile(asked, { primaryFile: 'raw.speedscope.json', rateHz: 50, process: { pid, runtime: 'python' } });
    await expect(planned({ ...asked, seconds: 3600 })).rejects.toMatchObject({
      code: 'invalid-plan',
      message: expect.stringContaining('at most 600 s'),
    });
  });
});

/** Runs a load test of one run, whose capture is as `expected` and covers most of the run. */
async function expectProfile(asked: LoadPlan, expected: object): Promise<void> {
  const { runs } = (await run(asked))!;
  expect(runs[0]!.result.notes.filter((note) => /profile/i.test(note))).toEqual([]);
  const document = await library.get(runs[0]!.captures![0]!.id);
  expect(document).toMatchObject({ state: 'finished', ...expected });
  expect(document.durationMs).toBeGreaterThan(2000);
  expect(document.samples).toBeGreaterThan(50);
}

it('knows the CPU time of runs of a second', async () => {
  const test = await run(plan({}, { concurrencies: [1, 2], seconds: 1 }));
  for (const { result } of test!.runs) {
    expect(result.server).toEqual([{ name: 'node', pid: server.pid, cores: expect.any(Number) as number }]);
    expect(result.notes.join()).not.toContain('No CPU time');
  }
});

it('records at the knee in separate runs', async () => {
  const test = await run(plan({ profile: perf('knee') }, { concurrencies: [2] }));
  expect(test!.runs.map(({ isExtra = false, captures = [] }) => [isExtra, captures.length])).toEqual([
    [false, 0],
    [true, 1],
  ]);
});

it('watches components on several machines, also with the same PID', async () => {
  const others = [{ target: 'ssh://gateway', pids: [server.pid!] }];
  const asked = plan({ others }, { concurrencies: [2], seconds: 3 });
  expect(plannedText(await planned(asked), 'here')).toContain(
    `sockets of process ${server.pid} on here and process ${server.pid} on ssh://gateway are read`,
  );
  const elsewhere = plan({ target: 'ssh://gateway' });
  expect(plannedText(await planned(elsewhere), 'here')).toContain(`${server.pid} on ssh://gateway are read`);
  const test = await run(asked);
  const names = ['node', 'node on ssh://gateway'];
  expect(test!.runs[0]!.vitals!.map(({ name }) => name)).toEqual(names);
  const components = componentUses(test!.runs.map(({ result }) => result));
  expect(components.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(components.every(({ perCore }) => perCore! > 0)).toBe(true);
});

it('keeps no capture of a run that is cut short', async () => {
  const before = (await library.list()).captures.length;
  const begun = Promise.withResolvers<void>();
  const session = await startLoad(target, await planned(plan({ profile: perf('each') })), {
    name: 'stopped',
    tests,
    recordedInto: { library },
    onProgress: ({ phase }) => phase === 'run' && begun.resolve(),
  });
  await begun.promise;
  session.stop();
  expect(await session.done).toBeNull();
  expect((await library.list()).captures).toHaveLength(before);
});

it.each([
  [{ pids: [4_194_303] }, {}, 'no-process', /4194303 not found/],
  [{ profile: perf('each') }, { seconds: 2 }, 'invalid-plan', /2 s is too short/],
  [{ pids: [1, 1] }, {}, 'invalid-plan', /named twice/],
  [{ others: [{ target: LOCAL_TARGET, pids: [1] }] }, {}, 'invalid-plan', /A machine is named twice/],
] as const)('refuses %j %j', async (watched, changes, code, message) => {
  await expect(planned(plan(watched as Watched, changes))).rejects.toMatchObject({ code, message });
});
