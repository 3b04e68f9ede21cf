import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import type { Plan, RecordingProgress } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { readProcStat } from '#collectors/target/processes.ts';
import { endStartedProcesses, startBusy, startForTest, startIdle, startReady } from '../../support/busy-process.ts';
import { needing, type Need } from '../../support/needing.ts';
import {
  checkPerfEnds,
  codesOf,
  commandScope,
  countSamples,
  pidScope,
  planFor,
  RATE,
  recordSamples,
  SHELL_CODES,
  start,
  target,
  untilSamples,
} from '../../support/perf-recording.ts';
import { isRunning } from '../../support/process-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'perf-driver-'));
endStartedProcesses();
checkPerfEnds();
afterAll(() => rmSync(folder, { recursive: true }));

describe('a process', () => {
  test('is recorded for the requested time, as text and stream', async () => {
    const busy = startBusy();
    const plan = await planFor({ ...pidScope(busy.pid), seconds: 1.5 });
    const { recording, sink } = start(plan);
    const states: string[] = [];
    let last: RecordingProgress | null = null;
    recording.onProgress((progress) => {
      if (states.at(-1) !== progress.state) states.push(progress.state);
      last = progress;
    });
    const outcome = await recording.outcome;

    expect(outcome).toMatchObject({ state: 'finished', incomplete: false, error: null, lost: 0 });
    expect(codesOf(outcome)).toEqual([]);
    expect(states).toEqual(['preparing', 'recording', 'stopping', 'finished']);
    expect(outcome.durationMs).toBeGreaterThan(1450);
    expect(outcome.durationMs).toBeLessThan(4000);
    // Other programs may use the CPU, so the number of samples follows the CPU time and not the clock.
    const cpuSeconds = outcome.cpuSeconds!.end - outcome.cpuSeconds!.start;
    expect(outcome.samples / RATE).toBeGreaterThan(cpuSeconds * 0.7 - 0.1);
    expect(outcome.samples / RATE).toBeLessThan(cpuSeconds * 1.3 + 0.2);
    const text = sink.text(outcome.primaryFile);
    expect(countSamples(text)).toBe(outcome.samples);
    expect(text).toMatch(new RegExp(`^sh +${busy.pid}/${busy.pid} `, 'm'));
    const [raw] = outcome.otherFiles;
    expect(new TextDecoder().decode(sink.files.get(raw!)?.subarray(0, 8))).toBe('PERFILE2');
    expect(last).toMatchObject({ samples: outcome.samples, bytes: sink.files.get(raw!)?.length });
  });

  test('keeps the data on stop, which is idempotent', async () => {
    const busy = startBusy();
    const { recording, sink } = start(await planFor(pidScope(busy.pid)));
    await untilSamples(recording, 20);
    await Promise.all([recording.stop(), recording.stop()]);
    await recording.stop();
    await recording.cancel();
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false });
    expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
    expect(isRunning(busy.pid)).toBe(true);
  });

  test('keeps nothing on cancel, even while it stops', async () => {
    const busy = startBusy();
    const { recording } = start(await planFor(pidScope(busy.pid)));
    await untilSamples(recording, 5);
    const stopping = recording.stop();
    await Promise.all([recording.cancel(), recording.cancel(), stopping]);
    expect(await recording.outcome).toMatchObject({ state: 'cancelled', error: null, diagnostics: [] });
    expect(isRunning(busy.pid)).toBe(true);
  });

  test('can be cancelled before it began', async () => {
    const { recording } = start(await planFor(pidScope(startBusy().pid)));
    await recording.cancel();
    expect(await recording.outcome).toMatchObject({ state: 'cancelled', samples: 0 });
  });

  test('keeps its data if it exits while recorded', async () => {
    const busy = startBusy();
    const { recording, sink } = start(await planFor({ ...pidScope(busy.pid), seconds: 30 }));
    await untilSamples(recording, 20);
    busy.kill('SIGKILL');
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false });
    expect(codesOf(outcome)).toEqual(['target-ended']);
    expect(outcome.durationMs).toBeLessThan(20_000);
    expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
    expect(outcome.cpuSeconds).not.toBeNull();
  });

  test('reports that there are no samples if it does nothing', async () => {
    const idle = startIdle();
    const { recording } = start(await planFor({ ...pidScope(idle.pid), seconds: 0.5 }));
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', samples: 0 });
    expect(codesOf(outcome)).toEqual(['no-samples']);
  });

  test('is refused if it does not exist or was replaced', async () => {
    const busy = startBusy();
    const plan = await planFor(pidScope(busy.pid));
    const ticks = (await readProcStat(target, busy.pid))?.startTicks ?? '';
    const withScope = (pid: number, startTicks: string): Plan<PerfOptions> => ({
      ...plan,
      options: { ...plan.options, scope: { kind: 'pid', pid, startTicks } },
    });
    const outcomes = await Promise.all(
      [withScope(4_194_303, ticks), withScope(busy.pid, '1'), withScope(busy.pid, ticks)].map(async (variant) => {
        const { recording } = start({ ...variant, options: { ...variant.options, seconds: 0.3 } });
        return recording.outcome;
      }),
    );
    expect(outcomes.map(({ state, error }) => `${state} ${error?.code ?? ''}`)).toEqual([
      'failed no-such-process',
      'failed pid-reused',
      'finished ',
    ]);
    expect(outcomes[0]?.error?.remedy).toBeTruthy();
    for (const pid of [4_194_303, busy.pid]) {
      const options = { ...plan.options, scope: { kind: 'pid', pid, startTicks: '1' } } as const;
      const { plan: refused, checks } = await perfCollector.preflight(target, options);
      expect(refused).toBeNull();
      expect(checks.find(({ status }) => status === 'failed')).toMatchObject({ id: 'target' });
    }
  });
});

describe('a command', () => {
  const burn = 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done';

  test('is recorded from start to end, with its exit code and messages', async () => {
    const { recording } = start(await planFor(commandScope('sh', '-c', `echo out; echo err >&2; ${burn}; exit 3`)));
    let messages: readonly string[] = [];
    recording.onProgress((progress) => (messages = progress.messages));
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false, exit: { code: 3, signal: null } });
    expect(codesOf(outcome)).toEqual(['command-exit']);
    expect(outcome.samples).toBeGreaterThan(5);
    expect(outcome.cpuSeconds?.start).toBe(0);
    expect([...messages].sort()).toEqual(['err', 'out']);
  });

  test('has empty input', async () => {
    const { recording } = start(await planFor(commandScope('sh', '-c', `read line && echo got; ${burn}`)));
    let messages: readonly string[] = [];
    recording.onProgress((progress) => (messages = progress.messages));
    expect(await recording.outcome).toMatchObject({ state: 'finished' });
    expect(messages).toEqual([]);
  });

  test('is reached by stop and cancel, with its children', async () => {
    for (const end of ['stop', 'cancel'] as const) {
      const file = join(folder, `pids-${end}`);
      const script = `sh -c 'while :; do :; done' & echo $$ $! > ${file}; wait`;
      const { recording } = start(await planFor(commandScope('sh', '-c', script)));
      await untilSamples(recording, 10);
      const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number);
      expect(pids.map(isRunning)).toEqual([true, true]);
      await recording[end]();
      expect((await recording.outcome).state).toBe(end === 'stop' ? 'finished' : 'cancelled');
      await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
    }
  });

  test('fails with the reason if it can’t be started', async () => {
    const file = join(folder, 'not-executable');
    writeFileSync(file, 'text', { mode: 0o644 });
    const { recording } = start(await planFor({ ...commandScope(file) }));
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'command-not-executable' } });
    await expect(planFor(commandScope('no-such-program'))).rejects.toThrow(/no-such-program/);
  });

  test('keeps no secrets in its arguments', async () => {
    const argv = ['sh', '-c', burn, 'app', '--password=hunter2secret', 'http://me:pw123secret@host/'];
    const { recording, sink } = start(await planFor(commandScope(...argv)));
    const outcome = await recording.outcome;
    expect(outcome.samples).toBeGreaterThan(0);
    for (const [name, bytes] of sink.files) {
      const text = new TextDecoder('latin1').decode(bytes);
      expect(`${name} ${text.includes('hunter2secret')} ${text.includes('pw123secret')}`).toBe(`${name} false false`);
    }
    expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
  });
});

const program = join(folder, 'server.js');
writeFileSync(
  program,
  `function parseRequest(s) { let h = 0; for (let i = 0; i < s.length; i++) h = (h * 31 + s.charCodeAt(i)) | 0; return h; }
   function handleLate(n) { let t = 0; for (let i = 0; i < n; i++) t += parseRequest('GET /users/' + i); return t; }
   function handleEarly(n) { let t = 0; for (let i = 0; i < n; i++) t += Math.sqrt(i); return t; }
   let late = false, turns = 0;
   process.on('SIGUSR2', () => { late = true; });
   function serve() { if (++turns === 100) console.log('warm'); late ? handleLate(1000) : handleEarly(10000); setImmediate(serve); }
   serve();`,
);

describe('code compiled at run time', () => {
  test('names the remedy for Node without a map', async () => {
    const node = await startReady('node', [program]);
    const { outcome } = await recordSamples(pidScope(node.pid), 20);
    const found = outcome.diagnostics.find(({ code }) => code === 'jit-map-missing');
    expect(found).toMatchObject({ severity: 'warning', remedy: expect.stringContaining('--perf-basic-prof') });
    expect(found?.message).toContain(`perf-${node.pid}.map`);
  });

  test('gets names of functions compiled after perf script has read the map', async () => {
    const node = await startReady('node', ['--perf-basic-prof', '--interpreted-frames-native-stack', program]);
    const { recording, sink } = start(await planFor(pidScope(node.pid)));
    const { samples } = await untilSamples(recording, 50);
    node.kill('SIGUSR2');
    await untilSamples(recording, samples + 200);
    await recording.stop();
    const outcome = await recording.outcome;
    expect(codesOf(outcome)).toContain('jit-map');
    expect(codesOf(outcome)).not.toContain('jit-map-missing');
    rmSync(`/tmp/perf-${node.pid}.map`, { force: true });
    expect(sink.text(outcome.primaryFile)).toMatch(/JS:\S*handleLate /);
  });
});

/**
 * Arguments that give a process its own root, /tmp and PIDs, as in a container. Its /tmp is empty, so the program is
 * passed as text.
 */
const CONTAINER = [
  '--mount',
  '--pid',
  '--fork',
  '--mount-proc',
  'sh',
  '-c',
  'mount -t tmpfs tmpfs /tmp && exec "$0" "$@"',
];
const containers: Need = {
  name: 'the right to make a container (root has it)',
  present: () => spawnSync('unshare', [...CONTAINER, 'true']).status === 0,
};

/** Returns the PID of the program in the innermost container once it has written its JIT map. */
async function untilInside(pid: number): Promise<number> {
  let inside = 0;
  const mapSize = async (): Promise<number> => {
    inside = innermostOf(pid);
    return (await target.stat(`/proc/${inside}/root/tmp/perf-1.map`))?.size ?? 0;
  };
  await expect.poll(mapSize, { timeout: 15_000 }).toBeGreaterThan(10_000);
  return inside;
}

/** Returns the last process in the chain of first children; stops at a process that has ended. */
function innermostOf(pid: number): number {
  try {
    const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return child === '' ? pid : innermostOf(Number(child));
  } catch {
    return pid;
  }
}

needing(containers, () => {
  test.each([
    ['a container', []],
    ['a container with a user namespace', ['--user', '--map-root-user']],
    ['a container within a container', [...CONTAINER, 'unshare']],
  ])('finds the JIT map of a process in %s in its own /tmp', async (_where, around) => {
    const node = startForTest('unshare', [
      ...around,
      ...CONTAINER,
      'node',
      '--perf-basic-prof',
      '-e',
      readFileSync(program, 'utf8'),
    ]);
    const inside = await untilInside(node.pid);
    try {
      const { outcome, sink } = await recordSamples(pidScope(inside), 100);
      expect(codesOf(outcome)).toEqual(expect.arrayContaining(['jit-map', 'container-process']));
      expect(outcome.diagnostics.find(({ code }) => code === 'container-process')?.message).toContain('as PID 1:');
      expect(sink.text(outcome.primaryFile)).toMatch(/JS:\S+ .*\(\/tmp\/perf-\d+\.map\)$/m);
    } finally {
      process.kill(inside, 'SIGKILL');
    }
  });
});

test('records the whole system', async () => {
  const busy = startBusy();
  const { outcome, sink } = await recordSamples({ scope: { kind: 'system' } }, 400);
  expect(outcome).toMatchObject({ state: 'finished', cpuSeconds: null });
  expect(sink.text(outcome.primaryFile)).toMatch(new RegExp(`^sh +${busy.pid}/${busy.pid} `, 'm'));
});

test('recognises a stripped program without frame pointers from its stacks', async () => {
  const { outcome } = await recordSamples(pidScope(startBusy().pid), 60);
  expect(outcome.diagnostics.map(({ code }) => code)).toEqual(SHELL_CODES);
});

test('records dwarf call graphs', async () => {
  const busy = startBusy();
  const { outcome, sink } = await recordSamples({ ...pidScope(busy.pid), callGraph: 'dwarf', rateHz: 49 }, 20);
  expect(outcome).toMatchObject({ state: 'finished', lost: 0 });
  expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
});
