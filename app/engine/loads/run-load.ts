import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_VITALS, type LoadPlan, type LoadTest } from '#core/contract/load/load-test.ts';
import type { LoadSeries } from '#core/contract/load/series.ts';
import type { LoadResult } from '#core/contract/load/result.ts';
import { scheduleOf, unreadLoopNotes, warmUpsOf, type ScheduledRun } from '#core/load/plan-load.ts';
import { boundText, kneeOf, sweepOf } from '#core/load/sweep.ts';
import { readingsPerRun, withHops } from '#core/load/vitals.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { messageOf } from '#core/model/failure.ts';
import type { Target } from '#collectors/target/target.ts';
import type { LoadTests, LoadTestWriter } from './load-tests.ts';
import { readOrExplain, runTool, type LoadTool } from './run-tool.ts';
import { watchSeries, type SeriesWatch } from './watch-series.ts';
import { watchServer, type ServerWatch, type WatchContext } from './watch-server.ts';
import { machineOf, type PlannedLoad } from './plan-load.ts';

export interface LoadProgress {
  /** The number of planned runs that have ended. */
  readonly done: number;
  readonly planned: number;
  readonly concurrency: number;
  readonly phase: 'warm-up' | 'run' | 'pause';
  /** The result of the run that just ended; null otherwise. */
  readonly result: LoadResult | null;
  /** The run is made for its profile, and is not a repeat of the others. */
  readonly isExtra: boolean;
}

export interface LoadSession {
  readonly id: string;
  /** Resolves with the stored test once nothing is running; null if it was cancelled. Rejects if no run succeeded. */
  readonly done: Promise<LoadTest | null>;
  /** Ends the sweep; complete runs are kept. Idempotent. */
  stop(): void;
  /** Ends the sweep and discards it. Idempotent. */
  cancel(): void;
}

export interface StartLoad {
  readonly name: string;
  readonly tests: LoadTests;
  /** Required if the server is watched. */
  readonly recordedInto?: Omit<WatchContext, 'test'>;
  /** True keeps even a test without a single run, with the reason. */
  readonly keepsFailure?: boolean;
  readonly onProgress?: (progress: LoadProgress) => void;
}

export async function startLoad(
  target: Target,
  planned: PlannedLoad,
  { name, tests, recordedInto, keepsFailure = false, onProgress = () => undefined }: StartLoad,
): Promise<LoadSession> {
  const writer = await createTest(target, planned, name, tests);
  const ending = new AbortController();
  let isCancelled = false;
  const test = { id: writer.id, name };
  const check = (): Promise<void> => Promise.resolve();
  const tool = await openTool(target, planned, test, { recordedInto, rounds: 1, signal: ending.signal, check }).catch(
    async (error: unknown) => {
      await writer.discard();
      throw error;
    },
  );
  return {
    id: writer.id,
    done: runAll(tool, writer, keepsFailure, onProgress, () => isCancelled).finally(() => closeTool(tool)),
    stop: () => ending.abort(),
    cancel() {
      isCancelled = true;
      ending.abort();
    },
  };
}

/** Begins a load test that will have the runs of a plan. */
export const createTest = (
  { host }: Target,
  { plan, commands }: PlannedLoad,
  name: string,
  tests: LoadTests,
): Promise<LoadTestWriter> => tests.create({ name, host, plan: storedPlan(plan), commands });

/**
 * Makes the runs of a plan as round `round`, from 0, of a load test that has several, each with a plan of its own.
 * Returns the step at which a profile for the knee was recorded, of an earlier round if it found one; null: none.
 * Rejects if a run fails. Complete runs are kept.
 */
export async function runRound(
  target: Target,
  planned: PlannedLoad,
  round: number,
  {
    name,
    writer,
    recordedInto,
    knee,
    rounds,
    signal,
    check,
    onProgress,
  }: Pick<StartLoad, 'name' | 'recordedInto'> & {
    readonly writer: LoadTestWriter;
    /** Of an earlier round; null: not known yet. */
    readonly knee: number | null;
    /** Of the load test, at most. */
    readonly rounds: number;
    readonly signal: AbortSignal;
    readonly check: Tool['check'];
    readonly onProgress: (progress: LoadProgress) => void;
  },
): Promise<number | null> {
  const tool = await openTool(target, planned, { id: writer.id, name }, { recordedInto, rounds, signal, check });
  const counted: Counted = { done: 0, message: null, knee };
  await makeRuns(tool, writer, onProgress, round * planned.plan.repeats, counted).finally(() => closeTool(tool));
  return counted.knee;
}

/** Begins to watch the server and the other series. */
async function openTool(
  target: Target,
  { plan, program, cpus, leftOut, server, senders }: PlannedLoad,
  test: WatchContext['test'],
  {
    recordedInto,
    rounds,
    signal,
    check,
  }: Pick<Tool, 'signal' | 'check'> & {
    readonly recordedInto: StartLoad['recordedInto'];
    readonly rounds: number;
  },
): Promise<Tool> {
  const runs = (plan.concurrencies.length + 1) * plan.repeats * rounds;
  const watch =
    server === null || recordedInto === undefined
      ? null
      : await watchServer(server, plan, runs, { ...recordedInto, test });
  const readings = readingsPerRun(runs, plan.series?.length ?? 1, MAX_VITALS);
  const nodes = (pid: number): Target => machineOf(server, target, pid);
  try {
    const series = await watchSeries(plan.series ?? [], { target, nodes, request: plan }, readings);
    return { plan, program, cpus, target, senders, signal, leftOut, watch, series, check };
  } catch (error) {
    watch?.end();
    throw error;
  }
}

function closeTool({ watch, series }: Tool): void {
  watch?.end();
  series.end();
}

/** Returns the plan without secrets. */
const storedPlan = (plan: LoadPlan): LoadPlan => ({
  ...plan,
  url: redactText(plan.url),
  headers: plan.headers.map(redactText),
  ...(plan.series === undefined ? {} : { series: plan.series.map(withoutSecrets) }),
});

function withoutSecrets(source: LoadSeries): LoadSeries {
  if (source.kind === 'prometheus') return { ...source, url: redactText(source.url) };
  if ((source.kind !== 'probe' && source.kind !== 'histogram') || source.hop === undefined) return source;
  return { ...source, hop: { ...source.hop, url: redactText(source.hop.url) } };
}

interface Tool extends LoadTool, Pick<PlannedLoad, 'leftOut'> {
  readonly watch: ServerWatch | null;
  readonly series: SeriesWatch;
  /** Called at the end of each run, which does not count if this rejects. */
  readonly check: () => Promise<void>;
}

async function runAll(
  tool: Tool,
  writer: LoadTestWriter,
  keepsFailure: boolean,
  onProgress: (progress: LoadProgress) => void,
  isCancelled: () => boolean,
): Promise<LoadTest | null> {
  const counted: Counted = { done: 0, message: tool.leftOut, knee: null };
  try {
    const isWhole = await makeRuns(tool, writer, onProgress, 0, counted);
    if (isCancelled() || counted.done === 0) {
      await writer.discard();
      return null;
    }
    return await writer.finish(isWhole ? 'finished' : 'stopped', counted.message);
  } catch (error) {
    const { done } = counted;
    const reason = messageOf(error);
    if (isCancelled() || (done === 0 && !keepsFailure)) {
      await writer.discard();
      throw error;
    }
    return writer.finish('failed', done === 0 ? reason : `${reason} The runs before are kept.`);
  }
}

interface Counted {
  /** The number of complete runs. */
  done: number;
  /** What the test lacks; null: nothing. */
  message: string | null;
  /** The step to record at; null: that of the knee, if there is one. */
  knee: number | null;
}

/** Makes the runs of the plan. Returns false if the signal ended them; rejects if one fails. */
async function makeRuns(
  tool: Tool,
  writer: LoadTestWriter,
  onProgress: (progress: LoadProgress) => void,
  repeatsBefore: number,
  counted: Counted,
): Promise<boolean> {
  const { plan, signal } = tool;
  const profiledAt = plan.server?.profile?.at ?? null;
  const schedule = scheduleOf(plan);
  const planned = schedule.length + (profiledAt === 'knee' ? plan.repeats : 0);
  const results: LoadResult[] = [];
  /** Returns false if the sweep should end. */
  const runOnce = async ({ concurrency, repeat }: ScheduledRun, isExtra: boolean): Promise<boolean> => {
    const report = (phase: LoadProgress['phase'], result: LoadResult | null = null): void =>
      onProgress({ done: counted.done, planned, concurrency, phase, result, isExtra });
    if (counted.done > 0 && plan.coolDown > 0) {
      report('pause');
      await sleep(plan.coolDown * 1000, undefined, { signal }).catch(() => undefined);
    }
    for (const level of warmUpsOf(plan, { concurrency })) {
      if (signal.aborted) break;
      report('warm-up');
      await runTool(tool, level.concurrency, level.seconds);
    }
    if (signal.aborted) return false;
    report('run');
    const startedAt = Date.now();
    const isProfiled = profiledAt === 'each' || isExtra;
    const watch = tool.watch?.begin({ concurrency, repeat: repeatsBefore + repeat, isProfiled }) ?? null;
    try {
      const output = await runTool(tool, concurrency, plan.seconds);
      // An interrupted run is not comparable with the others.
      if (signal.aborted) {
        await watch?.discard();
        return false;
      }
      const endedAt = Date.now();
      await tool.check();
      const read = await readOrExplain(output, concurrency, tool);
      const { result: watched, ...observed } = (await watch?.end(read)) ?? { result: read };
      const others = await tool.series.during(startedAt, endedAt);
      const result = withHops(
        { ...watched, notes: [...watched.notes, ...others.notes, ...unreadLoopNotes(plan)] },
        others.vitals,
      );
      const vitals = [...(observed.vitals ?? []), ...others.vitals];
      await writer.add(
        { startedAt, result, ...observed, ...(vitals.length === 0 ? {} : { vitals }), ...(isExtra ? { isExtra } : {}) },
        output.text,
      );
      if (!isExtra) results.push(result);
      counted.done += 1;
      report('run', result);
      return true;
    } catch (error) {
      await watch?.discard();
      throw error;
    }
  };
  for (const run of schedule) if (!(await runOnce(run, false))) return false;
  if (profiledAt !== 'knee') return true;
  const knee = counted.knee ?? kneeOf(sweepOf('', results), plan.knee)?.concurrency ?? null;
  counted.knee = knee;
  if (knee === null) {
    const missing = `Nothing was recorded: no step has ${boundText({ ...(plan.knee && { bound: plan.knee }) })}.`;
    counted.message = [counted.message, missing].filter((line) => line !== null).join(' ');
    return true;
  }
  for (let repeat = 1; repeat <= plan.repeats; repeat++) {
    if (!(await runOnce({ concurrency: knee, repeat }, true))) return false;
  }
  return true;
}
