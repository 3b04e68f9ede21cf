import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { PythonOptions } from '#core/contract/python.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Recording, RecordingOutcome } from '#collectors/collector.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { describePlan } from '#collectors/describe-plan.ts';
import { pythonCollector } from '#collectors/python/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { parseProcStat } from '#collectors/target/proc-files.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { isRunning } from '../../support/process-state.ts';
import { HOT_PYTHON, IDLE_PYTHON, PY_SPY_FOLDER, PY_SPY_VERSION, pySpy } from '../../support/py-spy.ts';
import { endPythonPrograms, startPythonProgram, threadStates } from '../../support/python-program.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

vi.stubEnv('PATH', `${PY_SPY_FOLDER}:${process.env['PATH']}`);

const target = createLocalTarget();
const folder = makeLockedFolder('fb-python-');
afterAll(async () => {
  await target.dispose();
  folder.remove();
});
endPythonPrograms();

const optionsFor = (pid: number, more: Partial<PythonOptions> = {}): PythonOptions => ({
  collector: 'python',
  scope: { kind: 'pid', pid, startTicks: null },
  rateHz: 100,
  seconds: 2,
  threads: 'running',
  stacks: 'python',
  subprocesses: false,
  ...more,
});

interface Recorded {
  readonly outcome: RecordingOutcome;
  readonly sink: MemorySink;
}

async function record(
  pid: number,
  more: Partial<PythonOptions> = {},
  onStart: (recording: Recording) => void = () => undefined,
): Promise<Recorded> {
  const { plan, checks } = await pythonCollector.preflight(target, optionsFor(pid, more));
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  const sink = new MemorySink();
  const recording = pythonCollector.start(target, plan!, sink, SYSTEM_CLOCK);
  onStart(recording);
  return { outcome: await recording.outcome, sink };
}

/** Acts once the process has used a third of a second of CPU time since the recording began. */
const afterSamples =
  (pid: number, action: (recording: Recording) => void) =>
  (recording: Recording): void => {
    let begin: number | null = null;
    let isDone = false;
    recording.onProgress(({ state }) => {
      if (state !== 'recording' || isDone) return;
      const used = cpuTicks(pid);
      begin ??= used;
      isDone = used - begin > 33;
      if (isDone) action(recording);
    });
  };

const cpuTicks = (pid: number): number => parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))!.cpuTicks;

const read = ({ sink, outcome: { primaryFile } }: Recorded): Promise<Profile> =>
  importProfile({ fileName: primaryFile, size: null, chunks: () => sink.read(primaryFile) });

/** Returns the number of samples of a thread by the function at their leaf. */
function leavesOf({ samples, stacks, frames, functions, strings, threads }: Profile, thread: string) {
  const counts = new Map<string, number>();
  for (let row = 0; row < samples.length; row++) {
    if (strings[threads.name[samples.thread[row]!]!] !== thread) continue;
    const name = strings[functions.name[frames.func[stacks.frame[samples.stack[row]!]!]!]!]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const threadsOf = ({ threads, strings }: Profile): string[] => [...threads.name].map((name) => strings[name]!).sort();

/** Checks that the process runs on, and that no py-spy reads it any more. */
async function expectUntouched(pid: number): Promise<void> {
  expect(isRunning(pid)).toBe(true);
  await expect.poll(() => threadStates(pid)).not.toMatch(/[Tt]/);
  await expect.poll(() => spawnSync('pgrep', ['-f', `py-spy record --pid ${pid} `]).status).toBe(1);
}

needing(pySpy, () => {
  test('names functions with lines, and threads; the plan is exact', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const { plan } = await pythonCollector.preflight(target, optionsFor(pid));
    expect(describePlan(plan!)).toEqual([
      '# py-spy pauses the process while it reads each sample.',
      `/bin/sh -c 'exec "$@" 3>&1 >&2' sh ${PY_SPY_FOLDER}/py-spy record --pid ${pid} --rate 100 --duration 2 --full-filenames --format speedscope --output /dev/fd/3`,
    ]);
    const recorded = await record(pid);
    expect(recorded.outcome).toMatchObject({
      state: 'finished',
      error: null,
      incomplete: false,
      event: 'running threads',
    });
    const profile = await read(recorded);
    expect(profile.metadata.tool).toBe(`py-spy@${PY_SPY_VERSION}`);
    expect(recorded.outcome.samples).toBe(profile.samples.length);
    const leaves = leavesOf(profile, 'worker-one');
    expect(leaves.get('hot')).toBeGreaterThan(100);
    expect(Math.max(...leaves.values())).toBe(leaves.get('hot'));
    expect(profile.threads.tid.every((tid) => tid > 0)).toBe(true);
    const lines = new Set(
      [...profile.frames.func].flatMap((func, frame) =>
        profile.strings[profile.functions.name[func]!] === 'hot' ? [profile.frames.line![frame]] : [],
      ),
    );
    expect(lines).toEqual(new Set([5]));
    expect(profile.samples.time).toBeNull();
    await expectUntouched(pid);
  });

  test('samples idle threads if asked, else says that none ran', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const all = await record(pid, { threads: 'all', seconds: 1 });
    expect(threadsOf(await read(all))).toEqual(['MainThread', 'idler', 'worker-one']);
    const idle = await startPythonProgram(IDLE_PYTHON);
    const { outcome } = await record(idle.pid, { threads: 'gil', seconds: 1 });
    expect(outcome).toMatchObject({
      state: 'failed',
      error: { code: 'no-samples', remedy: expect.stringMatching(/--idle/) },
    });
    await expectUntouched(idle.pid);
  });

  test('adds native frames, by module', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const recorded = await record(pid, { stacks: 'native', threads: 'all', seconds: 1 });
    const { strings, functions } = await read(recorded);
    expect([...functions.module].some((module) => /libc/.test(strings[module]!))).toBe(true);
    expect(recorded.outcome.state).toBe('finished');
    await expectUntouched(pid);
  });

  test('says by how much time is missing if py-spy can’t keep up, and ends in time', async () => {
    const threads = HOT_PYTHON.replace(
      'print(',
      `for i in range(40): threading.Thread(target=wait, daemon=True).start()\nprint(`,
    );
    const { pid } = await startPythonProgram(threads);
    const { outcome } = await record(pid, { rateHz: 1000, stacks: 'native', threads: 'all', seconds: 4 });
    expect(outcome.durationMs).toBeLessThan(8000);
    expect(outcome.diagnostics).toContainEqual(expect.objectContaining({ code: 'behind' }));
    expect(outcome.lost).toBeGreaterThan(outcome.samples / 4);
    expect(outcome.quality!.lost).toBeGreaterThan(0.2);
    await expectUntouched(pid);
  });

  test('samples subprocesses by process, without the secrets of their command lines', async () => {
    // The child ends with its parent.
    const parent = `import ctypes, subprocess, sys
argv = [sys.executable, '-c', sys.argv[1], '--password=hunter2']
child = subprocess.Popen(argv, stdout=subprocess.PIPE, preexec_fn=lambda: ctypes.CDLL(None).prctl(1, 9))
child.stdout.readline()
print('ready', flush=True)
while True: sum(range(1000))`;
    const running = await startPythonProgram(parent, HOT_PYTHON);
    const recorded = await record(running.pid, { subprocesses: true, threads: 'all' });
    const profile = await read(recorded);
    expect(new Set(profile.threads.pid).size).toBe(2);
    expect(leavesOf(profile, 'worker-one').get('hot')).toBeGreaterThan(50);
    const text = recorded.sink.text(recorded.outcome.primaryFile);
    expect(text).toContain('--password=‹redacted›');
    expect(text).not.toContain('hunter2');
  });

  test('stops early and keeps, or cancels and keeps nothing', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    for (const [ask, state] of [
      ['stop', 'finished'],
      ['cancel', 'cancelled'],
    ] as const) {
      const { outcome, sink } = await record(
        pid,
        { seconds: 600 },
        afterSamples(pid, (recording) => void recording[ask]()),
      );
      expect(outcome).toMatchObject({ state, error: null });
      expect(sink.files.size).toBe(ask === 'stop' ? 1 : 0);
      await expectUntouched(pid);
    }
    const { outcome } = await record(pid, {}, (recording) => void recording.cancel());
    expect(outcome).toMatchObject({ state: 'cancelled', samples: 0 });
  });

  test('keeps what there is if the process ends', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const recorded = await record(
      pid,
      { seconds: 600 },
      afterSamples(pid, () => process.kill(pid, 'SIGKILL')),
    );
    expect(recorded.outcome).toMatchObject({ state: 'finished', incomplete: true, error: null });
    expect(recorded.outcome.diagnostics).toContainEqual(expect.objectContaining({ code: 'target-ended' }));
    expect(leavesOf(await read(recorded), 'worker-one').get('hot')).toBeGreaterThan(10);
  });

  test('refuses what is not Python, what is not there, and a missing py-spy', async () => {
    const refusalOf = async (pid: number) => {
      const { checks, plan } = await pythonCollector.preflight(target, optionsFor(pid));
      expect(plan).toBeNull();
      return checks.find(({ status }) => status === 'failed');
    };
    const checksOf = async (pid: number) => pythonCollector.checkProcess!(target, (await findProcess(target, pid))!);
    const other = spawn('sleep', ['60']);
    expect(await refusalOf(other.pid!)).toMatchObject({ found: expect.stringMatching(/is not a CPython/) });
    expect(await checksOf(other.pid!)).toEqual([]);
    other.kill();
    expect((await refusalOf(4_194_000))!.found).toMatch(/there is no process/);
    const { pid } = await startPythonProgram(IDLE_PYTHON);
    expect(await checksOf(pid)).toMatchObject([{ id: 'py-spy', status: 'ok' }]);
    vi.stubEnv('PATH', process.env['PATH']!.replace(`${PY_SPY_FOLDER}:`, ''));
    vi.stubEnv('HOME', folder.path);
    expect(await refusalOf(pid)).toMatchObject({
      found: 'py-spy is not installed',
      remedy: 'run there: pipx install py-spy; or let it be sent for the recording: --send-py-spy',
    });
    expect(await checksOf(pid)).toMatchObject([{ status: 'failed', found: 'py-spy is not installed' }]);
    vi.unstubAllEnvs();
    vi.stubEnv('PATH', `${PY_SPY_FOLDER}:${process.env['PATH']}`);
  });

  test.each([
    ['TERM', '^[^ ]*/py-spy '],
    ['KILL', '^[^ ]*/py-spy '],
    ['KILL', ''],
  ])('%s to its processes (%j) ends the recording, and the process runs on', async (signal, which) => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const { outcome } = await record(
      pid,
      { seconds: 600 },
      afterSamples(pid, () => void spawnSync('pkill', [`-${signal}`, '-f', `${which}.*record --pid ${pid} `])),
    );
    expect(outcome).toMatchObject({ state: 'failed', samples: 0 });
    await expectUntouched(pid);
  });

  test('leaves the process running if Flamebench is killed', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const library = join(folder.path, 'library');
    const words = [
      'record',
      'python',
      '--pid',
      String(pid),
      '--seconds',
      '600',
      '--rate',
      '1000',
      '--library',
      library,
    ];
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const client = spawn(process.execPath, [LAUNCHER, ...words], { stdio: 'ignore' });
      await expect
        .poll(() => spawnSync('pgrep', ['-f', `py-spy record --pid ${pid} `]).status, { timeout: 60_000 })
        .toBe(0);
      client.kill(signal);
      await expectUntouched(pid);
    }
    rmSync(library, { recursive: true, force: true });
  }, 180_000);
});
