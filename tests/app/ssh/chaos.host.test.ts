import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn as openTerminal, type IPty } from 'node-pty';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { busyAtTimes } from '../../support/busy-loop.ts';
import { needing, type Need } from '../../support/needing.ts';
import { countSamples } from '../../support/perf-recording.ts';
import { killProcess } from '../../support/process-list.ts';
import { isRunning } from '../../support/process-state.ts';
import { expectClean, reopened, startBusyOn, startRecording, textIn, until, untilText } from './remote-recording.ts';
import { sshHosts, startSshHost } from '../../support/sshd.ts';

/** Signals each process of a recording; afterwards the capture must open, and no process may be left. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LAUNCHER = join(ROOT, 'app/cli/flamebench.mjs');
const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
const SIGNALS_THAT_ASK = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** 10 s plus slack for a busy machine. */
const CLEAN_MS = 45_000;
let count = 0;
const burning: ChildProcess[] = [];
let busy: ChildProcess;

beforeAll(() => {
  const [program, ...args] = busyAtTimes(0.05, 20_000);
  busy = spawn(program, args);
  burning.push(busy);
});
afterAll(() => {
  for (const { pid } of markedBy(folder)) killProcess(pid);
  for (const child of burning) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Marked {
  readonly pid: number;
  readonly command: string;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Started {
  readonly ended: Promise<Ended>;
  /** Returns the output so far. */
  said(): string;
  /** Signals the process that was started directly. */
  kill(signal: NodeJS.Signals): void;
}

interface UnderWay extends Started {
  readonly user: { readonly folder: string };
  /** Returns all running processes of the recording, even orphans: each inherits an environment variable. */
  processes(): Marked[];
}

const recordBusy = (): string[] => [LAUNCHER, 'record', 'perf', '--rate', '499', '--pid', String(busy.pid)];

type User = UnderWay['user'];

/** Starts a recording in its own session; resolves once samples have arrived. */
async function underWay(argv: readonly string[]): Promise<UnderWay> {
  const [program = '', ...args] = argv;
  return follow((env) => {
    const child = spawn(program, args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })));
    return { ended, said: () => output, kill: (signal) => void child.kill(signal) };
  });
}

async function follow(start: (env: NodeJS.ProcessEnv) => Started): Promise<UnderWay> {
  const user = { folder: join(folder, `user-${count++}`) };
  const started = start({
    ...process.env,
    FLAMEBENCH_CONFIG: join(user.folder, 'config'),
    FLAMEBENCH_LIBRARY: join(user.folder, 'library'),
  });
  let hasEnded = false;
  void started.ended.then(() => (hasEnded = true));
  // A short one may end with fewer: its program got little of a busy machine.
  await until(
    () => arrivedBytes(user) > 20_000 || hasEnded,
    () => `samples: ${started.said()}`,
    60_000,
  );
  return { ...started, user, processes: () => markedBy(user.folder) };
}

function arrivedBytes({ folder: own }: User): number {
  const library = join(own, 'library');
  const [name = ''] = existsSync(library) ? readdirSync(library).filter((entry) => !entry.startsWith('.')) : [];
  const stream = join(library, name, 'raw.perf.data');
  return existsSync(stream) ? statSync(stream).size : 0;
}

function markedBy(path: string): Marked[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const read = (file: string): string => readFileSync(`/proc/${name}/${file}`, 'latin1').split('\0').join(' ');
        return read('environ').includes(`FLAMEBENCH_CONFIG=${path}/`)
          ? [{ pid: Number(name), command: read('cmdline') }]
          : [];
      } catch {
        return [];
      }
    })
    .filter(({ pid }) => isRunning(pid));
}

const nothingRuns = ({ processes }: UnderWay): Promise<void> =>
  until(
    () => processes().length === 0,
    () => `the end of ${JSON.stringify(processes())}`,
    CLEAN_MS,
  );

/** Returns the capture as the next start finds it; checks that its text has the stated number of samples. */
async function kept({ user }: UnderWay): Promise<CaptureDocument> {
  const capture = await reopened(user, join(user.folder, 'config'));
  expect(capture.state).toBe('finished');
  expect(capture.samples).toBeGreaterThan(5);
  expect(countSamples(textIn(join(user.folder, 'library', capture.id)))).toBe(capture.samples);
  return capture;
}

/** A Node that can't run TypeScript. */
const PRETENDED = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})`;
const HOLDERS = {
  'the command itself': () => [process.execPath, ...recordBusy()],
  npx: () => ['npx', '--no', '--', 'flamebench', ...recordBusy().slice(1)],
  'the starter under an older Node': () => [process.execPath, '--import', PRETENDED, ...recordBusy()],
};

/** Processes of a recording on this machine, by their command lines. */
const ROLES = {
  watchdog: { pattern: /^\/bin\/sh -c [^]*\nprocesses=\n/, signals: ['SIGTERM', 'SIGKILL'] },
  'perf record': { pattern: /^\S*perf record /, signals: SIGNALS },
};

const UNREAPING = [
  'unshare',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  'sh',
  '-c',
  '"$@" & exec sleep 600',
  'sh',
];
const containers: Need = {
  name: 'the right to make a container (root has it)',
  present: () => spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0,
};

const THREADS = `
#include <pthread.h>
static void *burn(void *sum) { for (;;) ++*(volatile unsigned long *)sum; }
int main(void) {
  static unsigned long sums[200];
  pthread_t thread;
  for (int i = 0; i < 200; i++) pthread_create(&thread, 0, burn, &sums[i]);
  pthread_join(thread, 0);
}`;

describe.concurrent('on this machine', { timeout: 120_000 }, () => {
  describe.each(Object.entries(HOLDERS))('%s', (name, argv) => {
    test.each(SIGNALS_THAT_ASK)('%s to its PID ends the recording and keeps it', async (signal) => {
      const recording = await underWay(argv());
      recording.kill(signal);
      await nothingRuns(recording);
      expect(await kept(recording)).toMatchObject({ incomplete: false });
    });

    test('KILL of its PID leaves nothing running and keeps the samples that arrived', async () => {
      const recording = await underWay(argv());
      recording.kill('SIGKILL');
      await nothingRuns(recording);
      // npx and the starter may die while the command goes on; it then stops in an orderly way.
      expect((await kept(recording)).incomplete).toBe(name === 'the command itself');
    });
  });

  const rows = Object.entries(ROLES).flatMap(([role, { pattern, signals }]) =>
    signals.map((signal) => ({ role, pattern, signal })),
  );
  test.each(rows)(
    '$signal to $role: the other processes end, and the data is kept',
    async ({ role, pattern, signal }) => {
      const recording = await underWay([process.execPath, ...recordBusy()]);
      const victim = recording.processes().find(({ command }) => pattern.test(command));
      expect(victim, JSON.stringify(recording.processes())).toBeDefined();
      process.kill(victim!.pid, signal);
      await until(() => !isRunning(victim!.pid), `the end of ${role}`, CLEAN_MS);
      if (role !== 'perf record') recording.kill('SIGTERM');
      await nothingRuns(recording);
      const isLost = role === 'perf record';
      expect(await recording.ended).toMatchObject({ code: isLost ? 4 : 0 });
      const { diagnostics, ...capture } = await kept(recording);
      expect(capture).toMatchObject({ incomplete: isLost });
      expect(diagnostics.map(({ code }) => code).includes('collector-killed')).toBe(isLost);
    },
  );

  test('`nohup … &` continues after its terminal and shell end, and stops on TERM', async () => {
    const words = [process.execPath, ...recordBusy()].join(' ');
    let shell: IPty | undefined;
    const recording = await follow((env) => {
      shell = openTerminal('sh', ['-c', `nohup ${words} </dev/null >/dev/null 2>&1 & wait`], { cwd: ROOT, env });
      const { promise, resolve } = Promise.withResolvers<Ended>();
      shell.onExit(({ exitCode }) => resolve({ code: exitCode, output: '' }));
      return { ended: promise, said: () => '', kill: (signal) => shell!.kill(signal) };
    });
    recording.kill('SIGHUP');
    await recording.ended;
    const before = arrivedBytes(recording.user);
    await until(() => arrivedBytes(recording.user) > 2 * before, 'more samples', CLEAN_MS);
    commandOf(recording, 'SIGTERM');
    await nothingRuns(recording);
    expect(await kept(recording)).toMatchObject({ incomplete: false });
  });

  needing(containers, () => {
    test('a recording ends with its program in a container whose PID 1 reaps no children', async () => {
      const burn = 'sleep 500 & i=0; while :; do i=$((i+1)); done';
      const record = [process.execPath, LAUNCHER, 'record', 'perf', '--rate', '499', '--', 'sh', '-c', burn];
      const recording = await underWay([...UNREAPING, ...record]);
      commandOf(recording, 'SIGTERM');
      const others = (): Marked[] =>
        recording.processes().filter(({ command }) => !/^unshare |^sleep 600/.test(command));
      await until(
        () => others().length === 0,
        () => `the end of ${JSON.stringify(others())}`,
        CLEAN_MS,
      );
      recording.kill('SIGKILL');
      await nothingRuns(recording);
      expect(await kept(recording)).toMatchObject({ incomplete: false });
    });
  });

  test('a program with 200 busy threads is recorded for the requested time', async () => {
    const source = join(folder, 'threads.c');
    writeFileSync(source, THREADS);
    const built = spawnSync('cc', ['-O1', '-pthread', '-o', join(folder, 'threads'), source], { encoding: 'utf8' });
    expect(built.status, built.stderr).toBe(0);
    const threads = spawn('nice', ['-n', '19', join(folder, 'threads')], { stdio: 'ignore' });
    burning.push(threads);
    const record = [LAUNCHER, 'record', 'perf', '--rate', '499', '--seconds', '2', '--pid', String(threads.pid)];
    const recording = await underWay([process.execPath, ...record]);
    expect(await recording.ended).toMatchObject({ code: 0 });
    // Frees the CPUs for the other tests.
    threads.kill('SIGKILL');
    await nothingRuns(recording);
    const { incomplete, durationMs } = await kept(recording);
    expect(incomplete).toBe(false);
    expect(durationMs).toBeGreaterThan(1900);
  });
});

/** The rest are shells, which tests/collectors/target/ssh/keeper.host.test.ts kills one by one. */
const HOST_ROLES: Readonly<Record<string, RegExp>> = {
  'perf record': /^\d+ \S*perf record /,
  'perf script': /^\d+ \S*perf script /,
  'a cat that passes data on': /^\d+ cat$/,
};

needing(sshHosts, () => {
  describe.concurrent('on a host', { timeout: 180_000 }, () => {
    test.each([
      { isRoot: false, roles: Object.keys(HOST_ROLES) },
      { isRoot: true, roles: ['perf record'] },
    ])(
      'KILL of each of $roles: the other processes end, and the data is kept; as root: $isRoot',
      async ({ isRoot, roles }) => {
        const host = await startSshHost(isRoot ? { sudo: 'without password' } : {});
        try {
          const busyThere = await startBusyOn(host, { user: !isRoot });
          for (const role of roles) {
            const user = { folder: join(folder, `user-${count++}`) };
            const recording = startRecording(user, host, busyThere.pid, ...(isRoot ? ['--sudo'] : []));
            await untilText(user, recording);
            const victim = host.processes().find((line) => HOST_ROLES[role]!.test(line));
            expect(victim, `${role} of ${host.processes().join('\n')}`).toBeDefined();
            await host.execute(['kill', '-KILL', victim!.split(' ')[0]!]);
            const { code, stderr } = await recording.ended;
            expect({ role, code, stderr }).toMatchObject({ code: 4, stderr: expect.stringMatching(/incomplete: /) });
            await expectClean(host);
            expect(await reopened(user)).toMatchObject({ state: 'finished', incomplete: true });
          }
        } finally {
          await host.dispose();
        }
      },
    );
  });
});

/** Signals the command itself where the process that was started directly is another one. */
function commandOf(recording: UnderWay, signal: NodeJS.Signals): void {
  const all = recording.processes();
  const command = all.find((row) => row.command.startsWith(`${process.execPath} ${LAUNCHER}`));
  expect(command, JSON.stringify(all)).toBeDefined();
  process.kill(command!.pid, signal);
}
