import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { commandsOf, commandStep, type Plan, type RecordingProgress } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import type { Target } from '#collectors/target/target.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import {
  checkPerfEnds,
  clock,
  codesOf,
  commandScope,
  countSamples,
  pidScope,
  planFor,
  start,
  target,
  untilSamples,
} from '../../support/perf-recording.ts';
import { isRunning } from '../../support/process-state.ts';

endStartedProcesses();
checkPerfEnds();

/** Imitates another machine, where perf's stream remains. */
const elsewhere: Target = { ...target, kind: 'ssh' };
const pipedPlan = async (options: Partial<PerfOptions>): Promise<Plan<PerfOptions>> => {
  const plan = await planFor(options, elsewhere);
  expect(plan.piped).toBe(true);
  return plan;
};

describe('a pipeline on the target', () => {
  test('transfers only the text, for the requested time, and says so', async () => {
    const busy = startBusy();
    const { recording, sink } = start(await pipedPlan({ ...pidScope(busy.pid), seconds: 1.5 }));
    const states: string[] = [];
    let last: RecordingProgress | null = null;
    recording.onProgress((progress) => {
      if (states.at(-1) !== progress.state) states.push(progress.state);
      last = progress;
    });
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false, error: null, lost: 0, otherFiles: [] });
    expect(codesOf(outcome)).toEqual(['perf-data-not-kept']);
    expect(states).toEqual(['preparing', 'recording', 'stopping', 'finished']);
    expect(outcome.durationMs).toBeGreaterThan(1400);
    expect(outcome.cpuSeconds!.end).toBeGreaterThan(outcome.cpuSeconds!.start);
    expect([...sink.files.keys()]).toEqual([outcome.primaryFile]);
    const text = sink.text(outcome.primaryFile);
    expect(outcome.samples).toBeGreaterThan(0);
    expect(countSamples(text)).toBe(outcome.samples);
    expect(text).toMatch(new RegExp(`^sh +${busy.pid}/${busy.pid} `, 'm'));
    expect(last).toMatchObject({ samples: outcome.samples, bytes: text.length });
  });

  test('keeps the data on stop, and nothing on cancel', async () => {
    const busy = startBusy();
    for (const end of ['stop', 'cancel'] as const) {
      const { recording, sink } = start(await pipedPlan(pidScope(busy.pid)));
      await untilSamples(recording, 20);
      await Promise.all([recording[end](), recording[end]()]);
      const outcome = await recording.outcome;
      expect(outcome.state).toBe(end === 'stop' ? 'finished' : 'cancelled');
      if (end === 'stop') expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
      expect(isRunning(busy.pid)).toBe(true);
    }
  });

  test('waits for perf script, which may need longer than perf', async () => {
    const plan = await pipedPlan(pidScope(startBusy().pid));
    const [record, script] = commandsOf(plan);
    const late = 'stream=$(mktemp); cat >"$stream"; exec <"$stream"; rm "$stream"; sleep 4; exec "$@"';
    const commands = [record!, ['sh', '-c', late, 'sh', ...script!]];
    const sink = new MemorySink();
    // Its grace is over long before perf script begins.
    const hurried: Target = { ...elsewhere, slowness: () => 0.25 };
    const recording = perfCollector.start(hurried, { ...plan, steps: commands.map(commandStep) }, sink, clock);
    await new Promise<void>((resolve) => recording.onProgress(({ state }) => state === 'recording' && resolve()));
    await sleep(1000);
    await recording.stop();
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false });
    expect(codesOf(outcome)).toEqual(['perf-data-not-kept']);
    expect(outcome.samples).toBeGreaterThan(10);
    expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
  });

  test('handles a process that exits or was replaced', async () => {
    const busy = startBusy();
    const plan = await pipedPlan(pidScope(busy.pid));
    const { recording } = start(plan);
    await untilSamples(recording, 20);
    busy.kill('SIGKILL');
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false });
    expect(codesOf(outcome)).toEqual(['target-ended', 'perf-data-not-kept']);
    const { recording: late } = start(plan);
    expect(await late.outcome).toMatchObject({ state: 'failed', error: { code: 'no-such-process' } });
  });

  test('records a command from start to end, with its exit code and output', async () => {
    const burn = 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done';
    const { recording } = start(await pipedPlan(commandScope('sh', '-c', `echo out; echo err >&2; ${burn}; exit 3`)));
    let messages: readonly string[] = [];
    recording.onProgress((progress) => (messages = progress.messages));
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false, exit: { code: 3, signal: null } });
    expect(codesOf(outcome)).toEqual(['command-exit', 'perf-data-not-kept']);
    expect(outcome.samples).toBeGreaterThan(5);
    expect(messages).toEqual(expect.arrayContaining(['err', 'out']));
  });

  test('ends on a full disk here, and keeps what fitted', async () => {
    const { recording, sink } = start(await pipedPlan(pidScope(startBusy().pid)), new MemorySink(20_000));
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
    expect(codesOf(outcome)[0]).toBe('disk-full');
    const text = sink.text(outcome.primaryFile);
    expect(countSamples(text)).toBeGreaterThan(0);
    expect(text.endsWith('\n\n')).toBe(true);
  });

  test('also transfers the stream with --keep-perf-data', async () => {
    const plan = await planFor({ ...pidScope(startBusy().pid), keepPerfData: true }, elsewhere);
    expect(plan.piped).toBe(false);
    const sink = new MemorySink();
    const recording = perfCollector.start(elsewhere, plan, sink, clock);
    await untilSamples(recording, 20);
    await recording.stop();
    const outcome = await recording.outcome;
    expect(codesOf(outcome)).toEqual([]);
    expect([...sink.files.keys()].sort()).toEqual(['raw.perf-script.txt', 'raw.perf.data']);
  });
});
