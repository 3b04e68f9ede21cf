import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest';
import type { LoadPlan, LoadTest } from '#core/contract/load/load-test.ts';
import { openExperiments, type Experiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import type { SideServer } from '#core/contract/load/experiment.ts';
import { turnsOf } from '#core/load/experiment-plan.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { openLoadTests, type LoadTests } from '#app/engine/loads/load-tests.ts';
import { runExperiment, type ExperimentRequest } from '#app/engine/loads/run-experiment.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { processTree } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { freePort } from '../../../support/free-port.ts';

let target: Target;
let library: Library;
let tests: LoadTests;
let experiments: Experiments;
const folder = mkdtempSync(join(tmpdir(), 'run-experiment-'));
let program: string;
const servers: Server[] = [];

beforeAll(async () => {
  program = join(folder, 'server.mjs');
  writeFileSync(
    program,
    `import { createServer } from 'node:http';
function work(steps) { let sum = 0; for (let i = 0; i < steps; i++) sum += Math.sqrt(i); return sum; }
createServer((_, answer) => answer.end(String(work(Number(process.argv[3]))))).listen(Number(process.argv[2]), '127.0.0.1');
`,
  );
  target = createLocalTarget();
  library = await openLibrary(join(folder, 'library'));
  tests = await openLoadTests(library);
  experiments = await openExperiments(library);
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  library.close();
  await target.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const node = (port: number, steps: number): SideServer => ({
  url: `http://127.0.0.1:${port}/`,
  start: [process.execPath, program, String(port), String(steps)],
  change: null,
});

function request(
  sides: ExperimentRequest['sides'],
  changes: Partial<ExperimentRequest> & { readonly plan?: Partial<LoadPlan> } = {},
): ExperimentRequest & { readonly seen: string[]; readonly pids: number[][] } {
  const seen: string[] = [];
  const pids: number[][] = [];
  const { plan, ...others } = changes;
  return {
    seen,
    pids,
    name: 'test',
    tests,
    experiments,
    sides,
    server: { cwd: null, env: {}, ready: null, readySeconds: 30 },
    pairs: 2,
    planOf: (side, of) => {
      pids.push(of?.pids ?? []);
      return {
        tool: 'wrk',
        url: sides[side].url,
        headers: [],
        script: null,
        concurrencies: [2],
        seconds: 1,
        repeats: 1,
        warmUp: 0,
        coolDown: 0,
        threads: 1,
        ...(of === null ? {} : { server: { target: 'local', ...of, profile: null } }),
        ...plan,
      };
    },
    access: { open: () => Promise.resolve(target), collector: () => perfCollector },
    recordedInto: { library },
    signal: new AbortController().signal,
    onTurn: ({ side, round }) => seen.push(`${side} ${round}`),
    onProgress: () => undefined,
    ...others,
  };
}

const loadsKept = async (): Promise<number> => (await tests.list()).tests.length;

test('turns go A B B A', () => {
  expect(turnsOf(3).map(({ side, round }) => `${side} ${round}`)).toEqual([
    'before 1',
    'after 1',
    'after 2',
    'before 2',
    'before 3',
    'after 3',
  ]);
});

describe('with a real wrk', () => {
  test('starts each side for its turns, watches its processes, and leaves neither process nor port', async () => {
    const port = await freePort();
    const asked = request({ before: node(port, 1000), after: node(port, 2000) });
    const ran = (await runExperiment(target, asked))!;
    expect(asked.seen).toEqual(['before 1', 'after 1', 'after 2', 'before 2']);
    expect(ran.failure).toBeNull();
    const { experiment } = ran.state;
    expect(experiment.loads).toEqual({ before: ran.before.id, after: ran.after.id });
    for (const side of ['before', 'after'] as const) {
      expect(ran[side]).toMatchObject({ state: 'finished', name: `test (${side})` });
      expect(ran[side].runs.map(({ result }) => result.concurrency)).toEqual([2, 2]);
      expect(ran[side].runs.every(({ result }) => result.server?.[0]?.name === 'node')).toBe(true);
    }
    // One process a turn, another one each time, all of which have ended.
    expect(new Set(asked.pids.flat()).size).toBe(4);
    for (const [pid] of asked.pids) expect(await processTree(target, pid!)).toEqual([]);
    await runExperiment(target, request({ before: node(port, 1), after: node(port, 2) }, { pairs: 1 }));
  });

  test('ends when it is decided, after as many turns of each side', async () => {
    const port = await freePort();
    const looked: number[] = [];
    const isDecided: ExperimentRequest['isDecided'] = (before, after, turns) => {
      looked.push(turns, before.steps[0]!.runs.length, after.steps[0]!.runs.length);
      return turns === 2;
    };
    const ran = await runExperiment(
      target,
      request({ before: node(port, 1), after: node(port, 1) }, { pairs: 9, isDecided }),
    );
    expect(looked).toEqual([1, 1, 1, 2, 2, 2]);
    expect([ran!.before, ran!.after].map(({ state, runs }) => [state, runs.length])).toEqual([
      ['finished', 2],
      ['finished', 2],
    ]);
  });

  test('watches a gateway and the app behind it, which are of one program, as two components', async () => {
    const [port, behind] = [await freePort(), await freePort()];
    const app = node(behind, 1000).start!;
    const gateway = node(port, 10).start!;
    // A shell starts both and waits, as a script for a whole stack does.
    const leftover = join(folder, 'leftover');
    const script = '"$1" "$2" "$3" "$4" & "$5" "$6" "$7" "$8" & (trap "" TERM; exec sleep 1000) & echo $! > "$9"; wait';
    const stack = { ...node(port, 10), start: ['sh', '-c', script, 'sh', ...app, ...gateway, leftover] };
    const server = { cwd: null, env: {}, ready: `http://127.0.0.1:${behind}/`, readySeconds: 30 };
    const ran = await runExperiment(target, request({ before: stack, after: stack }, { pairs: 1, server }));
    const [run] = ran!.before.runs;
    expect(run!.result.server!.map(({ name }) => name).sort()).toEqual([`node :${port}`, `node :${behind}`].sort());
    // A process of the group without a port, which does not heed SIGTERM.
    expect(await processTree(target, Number(readFileSync(leftover, 'utf8')))).toEqual([]);
  });

  test('of profiles at the knee, each turn ends with a run of their own, which is no repeat and knows its requests', async () => {
    const port = await freePort();
    const sides = { before: node(port, 20_000), after: node(port, 40_000) };
    const asked = request(sides, { pairs: 1, plan: { seconds: 3 } });
    const profile = { collector: 'perf', rateHz: 99, callGraph: 'fp', at: 'knee' } as const;
    const ran = await runExperiment(target, {
      ...asked,
      planOf: (side, of) => ({
        ...asked.planOf(side, of),
        server: { target: 'local', ...of!, profile },
      }),
    });
    const kinds = (test: LoadTest): unknown[] =>
      test.runs.map(({ isExtra = false, captures = [] }) => [isExtra, captures.length]);
    const recorded = [
      [false, 0],
      [true, 1],
    ];
    expect([kinds(ran!.before), kinds(ran!.after)]).toEqual([recorded, recorded]);
    expect(sweepOfTest(ran!.before).steps.map(({ runs }) => runs.length)).toEqual([1]);
    const { before, after } = ran!.state.experiment;
    expect([before.captures.length, after.captures.length]).toEqual([1, 1]);
    const { load } = await library.get(before.captures[0]!.id);
    const { id, name } = ran!.state.experiment;
    expect(load).toMatchObject({ test: ran!.before.id, run: 1, experiment: { id, name, side: 'before' } });
    expect(load!.requests).toBeGreaterThan(0);
  });

  test('switches a running server before each turn, and leaves it on the before side', async () => {
    const server = createServer((_, answer) => void answer.end('ok'));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const log = join(folder, 'switched');
    const side = (word: string): SideServer => ({
      url,
      start: null,
      change: ['sh', '-c', 'echo "$1" >> "$2"', 'sh', word, log],
    });
    const asked = request({ before: side('A'), after: side('B') });
    const ran = await runExperiment(target, asked);
    expect(ran!.failure).toBeNull();
    // The server is this process, which listens at the port.
    expect(asked.pids).toEqual([1, 2, 3, 4].map(() => expect.arrayContaining([process.pid]) as unknown));
    expect(readFileSync(log, 'utf8').split('\n').join('')).toBe('ABBAA');
    const broken = { ...side('B'), change: ['sh', '-c', 'echo no such unit >&2; exit 5'] };
    await expect(runExperiment(target, request({ before: side('A'), after: broken }))).rejects.toThrow(
      /failed \(exit code 5\): no such unit/,
    );
    expect(readFileSync(log, 'utf8')).toMatch(/A\nA\n$/);
    const once = join(folder, 'switched-once');
    const stuck = { ...side('A'), change: ['sh', '-c', '[ ! -e "$0" ] || exit 6; : > "$0"', once] };
    await expect(runExperiment(target, request({ before: stuck, after: broken }))).rejects.toThrow(
      /failed \(exit code 5\): no such unit\. The server is not back on the before side: .* failed \(exit code 6\)\.$/,
    );
  });

  test('the workers of a Node cluster, of which only the master listens, are one component with it', async () => {
    const port = await freePort();
    const script = join(folder, 'cluster.mjs');
    writeFileSync(
      script,
      "import cluster from 'node:cluster';\nif (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else await import('./server.mjs');\n",
    );
    const side = { ...node(port, 1000), start: [process.execPath, script, String(port), '1000'] };
    const ran = await runExperiment(target, request({ before: side, after: side }, { pairs: 1 }));
    const server = ran!.before.runs[0]!.result.server!;
    expect(server.map(({ name }) => name)).toEqual(Array(3).fill(`node :${port}`));
    expect(server.map(({ cores }) => cores! > 0).slice(1)).toContain(true);
  });

  test('stores what starts a side first, with its folder and variables, without secrets', async () => {
    const port = await freePort();
    const sides = { before: node(port, 1), after: node(port, 2) };
    const server = { cwd: folder, env: { MODE: 'fast', TOKEN: 'hunter2hunter2' }, ready: null, readySeconds: 30 };
    const ran = await runExperiment(target, request(sides, { pairs: 1, server }));
    const environment = ['env', '-C', folder, 'MODE=fast', 'TOKEN=‹redacted›'];
    expect(ran!.after.commands![0]).toEqual([...environment, ...sides.after.start!]);
    expect(ran!.after.commands![1]![0]).toMatch(/wrk$/);
  });

  test('keeps as many readings of a run as all turns together leave room for', async () => {
    const port = await freePort();
    const sides = { before: node(port, 1), after: node(port, 1) };
    const ran = await runExperiment(
      target,
      request(sides, { pairs: 10_000, isDecided: () => true, plan: { seconds: 3 } }),
    );
    // Of 20,000 readings, for 10,000 turns of a run and one for its profile.
    expect(ran!.before.runs[0]!.vitals!.map(({ at }) => at.length)).toEqual([1]);
  });

  test('a side of https is ready with any certificate', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1'];
    execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, answer) => {
      answer.end('ok');
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const side = { url, start: null, change: null };
    const ran = await runExperiment(target, request({ before: side, after: side }, { pairs: 1 }));
    expect(ran!.failure).toBeNull();
    expect(ran!.before.runs[0]!.result.success).toBe(1);
  });
});

describe('refuses, and keeps nothing of', () => {
  test('a port that is taken', async () => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const kept = await loadsKept();
    const asked = request({ before: node(port, 1), after: node(port, 1) });
    await expect(runExperiment(target, asked)).rejects.toThrow(
      `Something already listens at http://127.0.0.1:${port}.`,
    );
    expect(await loadsKept()).toBe(kept);
  });

  test('a server that ends, with its last lines and without their secrets', async () => {
    const port = await freePort();
    const before = { ...node(port, 1), start: ['sh', '-c', 'echo no config, password=hunter2 >&2; exit 3'] };
    await expect(runExperiment(target, request({ before, after: node(port, 1) }))).rejects.toThrow(
      /ended before it was ready \(exit code 3\); its last lines: (?!.*hunter2).*no config/,
    );
  });

  test('a server that does not become ready, which ends', async () => {
    const port = await freePort();
    const before = { ...node(port, 1), start: ['sleep', '1000'] };
    const server = { cwd: null, env: {}, ready: null, readySeconds: 1 };
    await expect(runExperiment(target, request({ before, after: node(port, 1) }, { server }))).rejects.toThrow(
      /was not ready after 1 s/,
    );
    await expect(runExperiment(target, request({ before, after: node(port, 1) }, { server }))).rejects.toThrow(
      `was not ready after 1 s: nothing is listening on 127.0.0.1:${port}.`,
    );
  });

  test('an experiment that is stopped while a server starts', async () => {
    const port = await freePort();
    const ending = new AbortController();
    const hop = { name: 'app', url: `http://127.0.0.1:${port}/` };
    const asked = request(
      { before: { ...node(port, 1), start: ['sleep', '1000'] }, after: node(port, 1) },
      { signal: ending.signal, plan: { series: [{ kind: 'probe', perSecond: 1, instance: null, hop }] } },
    );
    setTimeout(() => ending.abort(), 500);
    expect(await runExperiment(target, asked)).toBeNull();
    expect(asked.pids).toEqual([]);
  });

  test('an experiment that is stopped before each side has a run', async () => {
    const port = await freePort();
    const ending = new AbortController();
    const kept = await loadsKept();
    const asked = request(
      { before: node(port, 1), after: node(port, 1) },
      { signal: ending.signal, onProgress: ({ result }) => result !== null && ending.abort() },
    );
    expect(await runExperiment(target, asked)).toBeNull();
    expect(await loadsKept()).toBe(kept);
  });
});

test('a side whose every request failed makes it a failure, and is kept', async () => {
  const made = [200, 404].map((status) => createServer((_, answer) => void answer.writeHead(status).end()));
  servers.push(...made);
  const [before, after] = await Promise.all(
    made.map(async (server): Promise<SideServer> => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, start: null, change: null };
    }),
  );
  const ran = await runExperiment(target, request({ before: before!, after: after! }, { pairs: 1 }));
  expect([ran!.before.state, ran!.after.state]).toEqual(['finished', 'failed']);
  expect(ran!.failure?.message).toMatch(/^test \(after\): /);
});

test('keeps complete runs if a side fails later', async () => {
  const port = await freePort();
  const once = join(folder, 'once');
  // Starts the first time only.
  const after = {
    ...node(port, 1),
    start: ['sh', '-c', `[ ! -e "$0" ] || exit 7; : > "$0"; exec "$@"`, once, ...node(port, 1).start!],
  };
  const ran = await runExperiment(target, request({ before: node(port, 1), after }));
  expect(ran!.failure?.message).toMatch(/exit code 7/);
  expect([ran!.before, ran!.after].map(({ state, runs }) => [state, runs.length])).toEqual([
    ['failed', 1],
    ['failed', 1],
  ]);
});

test('a run in which the server ends does not count, and the failure has its last lines', async () => {
  const port = await freePort();
  const dying = join(folder, 'dying.mjs');
  writeFileSync(
    dying,
    `import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
let left = process.env.DIES ? 100 : Infinity;
createServer((_, answer) => {
  answer.end('ok');
  if (left-- > 0) return;
  writeSync(2, 'heap is full, password=hunter2\\n');
  process.exit(9);
}).listen(${port}, '127.0.0.1');
`,
  );
  // Ends in its second turn.
  const start = ['sh', '-c', '[ ! -e "$0" ] || export DIES=1; : > "$0"; exec "$@"'];
  const after = { ...node(port, 1), start: [...start, join(folder, 'turned'), process.execPath, dying] };
  const ran = await runExperiment(target, request({ before: node(port, 1), after }));
  expect(ran!.failure?.message).toMatch(
    /^The server ended during its turn \(exit code 9\); its last lines: (?!.*hunter2).*heap is full/,
  );
  expect([ran!.before, ran!.after].map(({ state, runs }) => [state, runs.length])).toEqual([
    ['failed', 1],
    ['failed', 1],
  ]);
});
