import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import type { Recording, RecordingOutcome } from '#collectors/collector.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { endNodePrograms, startNodeProgram, type NodeProgram } from '../../support/node-program.ts';
import { NODE_MAJORS, nodeOf, nodeVersions } from '../../support/node-versions.ts';
import { isRunning } from '../../support/process-state.ts';

const target = createLocalTarget();
endNodePrograms();

/** A program that works for 150 ms, waits as long, and has a worker thread that works. */
const PHASES = `
import { Worker } from 'node:worker_threads';
new Worker('function inWorker(n) { let s = 0; for (let i = 0; i < n; i++) s = (s + i * i) % 1000003; return s; } setInterval(() => inWorker(2e6), 20);', { eval: true });
let sum = 0;
function busy() { const end = Date.now() + 150; while (Date.now() < end) sum = (sum + 1) % 1000003; setTimeout(busy, 150); }
busy();`;

async function start(
  program: NodeProgram,
  seconds: number,
  sink = new MemorySink(),
): Promise<{ recording: Recording; sink: MemorySink }> {
  const scope = { kind: 'pid', pid: program.pid, startTicks: null } as const;
  const options = { collector: 'node', scope, profile: 'cpu', seconds, withPerf: true } as const;
  const { plan, checks } = await nodeCollector.preflight(target, options);
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  return { recording: nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK), sink };
}

/** A disk without room for the joined file. */
class FullSink extends MemorySink {
  override replace(fileName: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    if (fileName !== 'raw.joined.flamebench') return super.replace(fileName, chunks);
    return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
  }
}

const read = (sink: MemorySink, { primaryFile }: RecordingOutcome): Promise<Profile> =>
  importProfile({ fileName: primaryFile, size: null, chunks: () => sink.read(primaryFile) });

const perfOf = (pid: number): number[] =>
  spawnSync('pgrep', ['-f', `perf\\S* record .* -p ${pid}$`])
    .stdout.toString()
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);

/** Returns the times of a value type's samples of a thread, in milliseconds, without those that say it waits. */
function timesOf(profile: Profile, type: string, thread: number, waits = /^\((?:idle|program)\)$/): number[] {
  const { samples, valueTypes, stacks, frames, functions, strings } = profile;
  const weights = sampleWeights(profile, valueTypes.findIndex((one) => one.type === type) as ValueTypeIndex);
  const nameOf = (stack: number): string =>
    stack < 0 ? '' : strings[functions.name[frames.func[stacks.frame[stack]!]!]!]!;
  return [...samples.time!.keys()]
    .filter((row) => weights[row]! > 0 && samples.thread[row] === thread)
    .filter((row) => !waits.test(nameOf(samples.stack[row]!)))
    .map((row) => samples.time![row]! / 1e6);
}

/** Returns the share of times at which the thread works by the sample of node before or after them. */
function shareAtWork(times: readonly number[], all: readonly number[], busy: readonly number[], shift: number): number {
  const atWork = new Set(busy);
  const sorted = all.toSorted((a, b) => a - b);
  const isAtWork = (time: number): boolean => {
    const next = sorted.findIndex((one) => one >= time);
    return atWork.has(sorted[next]!) || atWork.has(sorted[next - 1]!);
  };
  return times.filter((time) => isAtWork(time + shift)).length / times.length;
}

needing(nodeVersions, () => {
  test.each(NODE_MAJORS)('Node %i: perf’s samples are of the same threads and the same times', async (major) => {
    const program = await startNodeProgram(nodeOf(major), PHASES);
    const { recording, sink } = await start(program, 4);
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null, primaryFile: 'raw.joined.flamebench' });
    expect(outcome.otherFiles).toEqual(['raw.cpuprofile', 'raw.perf-script.txt', 'raw.perf.data']);
    const profile = await read(sink, outcome);
    expect(profile.valueTypes.map(({ type, unit }) => `${type}/${unit}`)).toEqual(
      expect.arrayContaining(['time/microseconds', 'samples/count', 'cpu-clock/nanoseconds']),
    );
    const { threads, strings } = profile;
    const named = [...threads.name].map((row) => strings[row]!);
    expect([...threads.pid]).toEqual(named.map(() => program.pid));
    for (const thread of [named.indexOf('main'), named.findIndex((name) => /worker/.test(name))]) {
      expect(thread).toBeGreaterThanOrEqual(0);
      expect(timesOf(profile, 'samples', thread).length).toBeGreaterThan(50);
      expect(timesOf(profile, 'cpu-clock', thread).length).toBeGreaterThan(20);
    }
    const [js, native] = ['samples', 'cpu-clock'].map((type) => timesOf(profile, type, named.indexOf('main')));
    const all = timesOf(profile, 'samples', named.indexOf('main'), /^$/);
    expect(shareAtWork(native!, all, js!, 0)).toBeGreaterThan(0.85);
    expect(shareAtWork(native!, all, js!, 150)).toBeLessThan(shareAtWork(native!, all, js!, 0) - 0.3);
    expect(Math.min(...native!)).toBeGreaterThanOrEqual(0);
    expect(isRunning(program.pid)).toBe(true);
    expect(perfOf(program.pid)).toEqual([]);
  });

  test('keeps what one of both has if the other is lost, and says so', async () => {
    const ended = await startNodeProgram(nodeOf(24), PHASES);
    const first = await start(ended, 60);
    first.recording.onProgress(({ state, samples }) => {
      if (state === 'recording' && samples > 20) ended.child.kill('SIGKILL');
    });
    const lost = await first.recording.outcome;
    expect(lost).toMatchObject({ state: 'finished', incomplete: true, primaryFile: 'raw.perf-script.txt' });
    expect(lost.diagnostics[0]).toMatchObject({ code: 'no-samples-of-node' });
    expect((await read(first.sink, lost)).samples.length).toBeGreaterThan(10);
    const running = await startNodeProgram(nodeOf(24), PHASES);
    const second = await start(running, 3);
    second.recording.onProgress(({ state }) => {
      if (state === 'recording') for (const pid of perfOf(running.pid)) process.kill(pid, 'SIGKILL');
    });
    const kept = await second.recording.outcome;
    expect(kept).toMatchObject({ state: 'finished' });
    expect((await read(second.sink, kept)).strings).toContain('busy');
    // The kernel’s count of CPU time tells it if the end comes before perf’s own is noticed.
    expect(kept.diagnostics.map(({ code }) => code).join()).toMatch(
      /collector-killed|cpu-time-missed|no-samples-of-perf/,
    );
    expect(isRunning(running.pid)).toBe(true);
  });

  test('keeps both apart if the disk is too full for the joined file, and says so', async () => {
    const program = await startNodeProgram(nodeOf(24), PHASES);
    const { recording, sink } = await start(program, 2, new FullSink());
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null, primaryFile: 'raw.cpuprofile' });
    expect(outcome.otherFiles).toEqual(['raw.perf-script.txt', 'raw.perf.data']);
    expect(outcome.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'not-joined',
        message: 'The samples of perf are only in raw.perf-script.txt: the disk is full.',
      }),
    );
    expect((await read(sink, outcome)).samples.length).toBe(outcome.samples);
  });

  test('keeps nothing of a cancelled recording, and leaves no perf', async () => {
    const program = await startNodeProgram(nodeOf(24), PHASES);
    const { recording } = await start(program, 600);
    recording.onProgress(({ state }) => {
      if (state === 'recording') void recording.cancel();
    });
    expect(await recording.outcome).toMatchObject({ state: 'cancelled', error: null });
    expect(perfOf(program.pid)).toEqual([]);
    expect(isRunning(program.pid)).toBe(true);
  });
});
