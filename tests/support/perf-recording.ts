import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, expect } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import type { Clock, Plan, Recording, RecordingOutcome, RecordingProgress } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from './memory-sink.ts';

/** Samples per second of CPU time in tests. */
export const RATE = 199;
export const target = createLocalTarget();
export const clock: Clock = { now: Date.now, monotonic: () => performance.now() };

/** Checks after each test that no perf process is left. A test file that records calls it once. */
export function checkPerfEnds(): void {
  afterEach(() => {
    expect(perfChildren('')).toEqual([]);
  });
  afterAll(() => target.dispose());
}

/** Returns the PIDs of perf processes that this test process started and whose command line contains `text`. */
export function perfChildren(text: string): number[] {
  const listed = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,stat=,comm=,args=']).toString();
  return listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, state, name, ...args]) => name === 'perf' && !state?.startsWith('Z') && args.join(' ').includes(text))
    .map(([pid]) => Number(pid));
}

/** Returns the plan of a recording; throws with the failed checks if there is none. */
export async function planFor(options: Partial<PerfOptions>, on: Target = target): Promise<Plan<PerfOptions>> {
  const { plan, checks } = await perfCollector.preflight(on, {
    collector: 'perf',
    scope: { kind: 'system' },
    rateHz: RATE,
    event: null,
    callGraph: 'fp',
    seconds: null,
    ...options,
  });
  if (plan === null) throw new Error(`no plan: ${JSON.stringify(checks.filter(({ status }) => status === 'failed'))}`);
  return plan;
}

export const pidScope = (pid: number, startTicks: string | null = null): Partial<PerfOptions> => ({
  scope: { kind: 'pid', pid, startTicks },
});

export const commandScope = (...argv: string[]): Partial<PerfOptions> => ({ scope: { kind: 'command', argv } });

export function start(plan: Plan<PerfOptions>, sink = new MemorySink()): { recording: Recording; sink: MemorySink } {
  return { recording: perfCollector.start(target, plan, sink, clock), sink };
}

/** Resolves once the recording has at least `samples` samples. */
export function untilSamples(recording: Recording, samples: number): Promise<RecordingProgress> {
  return new Promise((resolve) => {
    recording.onProgress((progress) => {
      if (progress.samples >= samples) resolve(progress);
    });
  });
}

/** Records until there are `samples` samples, so that the result does not depend on how busy the machine is. */
export async function recordSamples(
  options: Partial<PerfOptions>,
  samples: number,
): Promise<{ outcome: RecordingOutcome; sink: MemorySink }> {
  const { recording, sink } = start(await planFor(options));
  await untilSamples(recording, samples);
  await recording.stop();
  return { outcome: await recording.outcome, sink };
}

/** Counts the samples in the text of `perf script`. */
export const countSamples = (text: string): number => (text.match(/^\S.*: *\d+ c(?:pu-clock|ycles)/gm) ?? []).length;

/** Returns the time of the last sample in the text of `perf script`, in seconds after boot. */
export const lastSampleSeconds = (text: string): number =>
  Number(
    text
      .match(/(\d+\.\d+): +\d+ c/g)
      ?.at(-1)
      ?.split(':')[0],
  );

/** Returns the seconds since boot, which is perf's clock. */
export const uptimeSeconds = (): number => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);

/** Findings that the build of the busy shell always causes: it is stripped and has no frame pointers. */
export const SHELL_CODES = ['unresolved-frames', 'missing-frame-pointers'];

export const codesOf = (outcome: { diagnostics: readonly { code: string }[] }): string[] =>
  outcome.diagnostics.map(({ code }) => code).filter((code) => !SHELL_CODES.includes(code));
