import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_PROFILED_PROCESSES, MAX_VITALS, type LoadPlan, type LoadRun } from '#core/contract/load/load-test.ts';
import { CPU_TIME_MISSED } from '#core/contract/corrected-recording.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { nameAt } from '#core/load/series/series-by-run.ts';
import { stepTitle } from '#core/load/load-text.ts';
import type { LoadResult, ServerUse } from '#core/contract/load/result.ts';
import {
  readingsPerRun,
  requestsDuring,
  serverUses,
  unknownCpuNotes,
  vitalsOfRun,
  withCpuOfRun,
  type CpuTimes,
} from '#core/load/vitals.ts';
import type { ProcStat } from '#collectors/target/proc-files.ts';
import { collectors } from '#collectors/registry.ts';
import { readStats, readTicksPerSecond } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { watchVitals, type VitalsWatch } from '#collectors/target/vitals.ts';
import { idleNotes, otherCores, readMoment, withWorkers, type MachineMoment } from './other-programs.ts';
import type { Library } from '../library/library.ts';
import { toRecordedHost, type HostPlan } from '../recording/plan-hosts.ts';
import { failureLine, recordingFailure } from '../recording/host-recording.ts';
import { startRecording, type RecordingContext, type RecordingResult } from '../recording/recording.ts';
import { leadOf, unrecordedNotes, windowOf, type PlannedServer, type PlannedProcess } from './plan-server.ts';

/**
 * Returns a process's part in the CPU time of its component: the requests that its capture counts, so that each worker's
 * CPU per request is that of the component. 1 if a part is unknown. `alone`: the processes without their workers.
 */
export function partOfComponent(uses: readonly ServerUse[], pid: number, alone: readonly ServerUse[] = uses): number {
  const use = uses.find((one) => one.pid === pid);
  const own = uses.filter(({ name }) => name === use?.name);
  const known = own.flatMap(({ cores }) => cores ?? []);
  const all = known.reduce((sum, cores) => sum + cores, 0);
  const cores = alone.find((one) => one.pid === pid)?.cores ?? all;
  return known.length < own.length || !(all > 0) ? 1 : Math.min(1, cores / all);
}

/** Returns the name of a process as that of its series, alike in all turns: `nginx`, `nginx (2)`. */
function nameOf(processes: readonly PlannedProcess[], pid: number): string {
  const { name } = processes.find((one) => one.pid === pid)!;
  const place = processes.filter((one) => one.name === name).findIndex((one) => one.pid === pid);
  return nameAt(name, place);
}

/** Says which components' profiles are not of all their processes; a sentence each. */
function partlyRecorded(processes: readonly PlannedProcess[]): string[] {
  return [...new Set(processes.map(({ name }) => name))].flatMap((name) => {
    const own = processes.filter((one) => one.name === name && one.failure === null);
    const recorded = own.filter(({ profile }) => profile !== null).length;
    if (recorded === own.length) return [];
    return recorded === 0
      ? [`No process of ${name} was recorded: a profile is of at most ${MAX_PROFILED_PROCESSES} of a machine.`]
      : [`Only ${recorded} of ${own.length} processes of ${name} were recorded; they stand for the others.`];
  });
}

/** A run of the schedule to observe. */
export interface WatchedRun {
  readonly concurrency: number;
  /** Number of the run within its step, from 1. */
  readonly repeat: number;
  readonly isProfiled: boolean;
}

/** What was observed during a run. */
type Observed = Pick<LoadRun, 'vitals' | 'captures'> & { readonly result: LoadResult };

export interface RunWatch {
  /** Ends the observation of a run with its result; recordings that still run are ended and kept. */
  end(result: LoadResult): Promise<Observed>;
  /** Discards the recording. */
  discard(): Promise<void>;
}

export interface ServerWatch {
  begin(run: WatchedRun): RunWatch;
  /** Idempotent. */
  end(): void;
}

export interface WatchContext {
  readonly library: Library;
  readonly journal?: RecordingContext['journal'];
  readonly test: { readonly id: string; readonly name: string };
}

/** Watches the server for a whole sweep. `runs`: those of its load test, at most. */
export async function watchServer(
  planned: PlannedServer,
  plan: LoadPlan,
  runs: number,
  context: WatchContext,
): Promise<ServerWatch> {
  const watched: WatchedMachine[] = [];
  const end = (): void => {
    for (const { vitals } of watched) vitals.end();
  };
  try {
    for (const { target, processes } of planned.machines) {
      watched.push({
        target,
        processes,
        ticksPerSecond: await readTicksPerSecond(target),
        vitals: await watchVitals(
          target,
          processes.map(({ pid }) => pid),
        ),
      });
    }
  } catch (error) {
    end();
    throw error;
  }
  const processes = watched.flatMap((machine) => machine.processes);
  const most = readingsPerRun(runs, processes.length, MAX_VITALS);
  return { begin: (run) => watchRun({ planned, plan, context, watched, processes, most }, run), end };
}

interface WatchedMachine {
  readonly target: Target;
  readonly ticksPerSecond: number;
  readonly processes: readonly PlannedProcess[];
  readonly vitals: VitalsWatch;
}

interface WatchParts {
  readonly planned: PlannedServer;
  readonly plan: LoadPlan;
  readonly context: WatchContext;
  readonly watched: readonly WatchedMachine[];
  /** Of all machines. */
  readonly processes: readonly PlannedProcess[];
  /** Readings that are kept of each process. */
  readonly most: number;
}

function watchRun({ planned, plan, context, watched, processes, most }: WatchParts, run: WatchedRun): RunWatch {
  const from = Date.now();
  const starts = watched.map(readCpu);
  const moments = watched.map(({ target }) => readMoment(target));
  const over = new AbortController();
  const stopping = new AbortController();
  const signals = { over: over.signal, stop: stopping.signal };
  const profiles = processes.flatMap(({ pid, name, profile }) =>
    profile === null || !run.isProfiled
      ? []
      : [{ pid, recorded: recordWindow(profile, titleOf(run, name, context), plan.seconds, context, signals) }],
  );
  const drop = (id: string): Promise<void> => context.library.trash(id).catch(() => undefined);
  const finished = async (stops: boolean): Promise<{ pid: number; recorded: Recorded }[]> => {
    over.abort();
    if (stops) stopping.abort();
    return Promise.all(profiles.map(async ({ pid, recorded }) => ({ pid, recorded: await recorded })));
  };
  return {
    async end(result) {
      const to = Date.now();
      const ends = await Promise.all(watched.map(readCpu));
      const begun = await Promise.all(moments);
      const last = await Promise.all(watched.map(({ target }) => readMoment(target)));
      const others = watched.map((machine, place) => othersOf(machine, begun[place]!, last[place]!));
      const { profile } = planned.server;
      // The window may end after the run.
      const all = await finished(profile === null || collectors[profile.collector].sendsAtEnd !== true);
      const kept: { readonly recorded: CaptureDocument; readonly pid: number }[] = [];
      const notes = profiles.length === 0 ? [] : [...partlyRecorded(processes), ...planned.unrecorded];
      const read = watched.map(({ processes: own, vitals }) => ({ own, readings: vitals.since(from) }));
      const started = await Promise.all(starts);
      const alone = read.map(({ own, readings }, place) =>
        withCpuOfRun(serverUses(readings, own, { from, to }), started[place]!, ends[place]!, result.seconds),
      );
      const missing: { readonly name: string; readonly why: string }[] = [];
      for (const { pid, recorded } of all) {
        const name = nameOf(processes, pid);
        const why = typeof recorded === 'string' ? recorded : 'empty' in recorded ? recorded.why : null;
        const isIdle = (alone.flat().find((use) => use.pid === pid)?.cores ?? 1) < LEAST_CORES;
        if (why !== null) missing.push({ name, why: why === NO_SAMPLES && isIdle ? IDLE : why });
        if (typeof recorded === 'string') continue;
        if ('empty' in recorded) {
          await drop(recorded.empty);
          continue;
        }
        const missed = missedOf(recorded);
        if (missed !== null) notes.push(`Profile of ${name}: ${missed}`.slice(0, 1000));
        kept.push({ recorded, pid });
      }
      notes.push(...unrecordedNotes(missing));
      const machines = alone.map((own, place) => {
        const ticks = watched[place]!.ticksPerSecond * (result.seconds ?? 0);
        const [start, end] = [begun[place]!, last[place]!];
        const masters = new Map(watched[place]!.processes.map(({ pid, master }) => [pid, master ?? 0]));
        const { uses, notes: found } = withWorkers(own, masters, start, end, ticks);
        return { uses, notes: [...found, ...idleNotes(uses, start, end)] };
      });
      const server = machines.flatMap(({ uses }) => uses);
      notes.push(...unknownCpuNotes(server), ...machines.flatMap((machine) => machine.notes));
      const captures = [];
      for (const { recorded, pid } of kept) {
        const requests = requestsDuring(recorded, result, from, to);
        await context.library.setLoad(recorded.id, {
          test: context.test.id,
          name: context.test.name.slice(0, 300),
          concurrency: run.concurrency,
          run: run.repeat,
          qps: result.qps,
          requests:
            requests === null ? null : Math.round(requests * partOfComponent(server, pid, alone.flat())) || null,
        });
        captures.push({ id: recorded.id, pid });
      }
      const found = read.flatMap(({ own, readings }) => vitalsOfRun(readings, own, { from, to, most }));
      return {
        result: {
          ...result,
          server,
          ...(others.includes(null) ? {} : { otherCores: others.reduce<number>((sum, one) => sum + one!, 0) }),
          notes: [...result.notes, ...notes],
        },
        ...(found.length === 0 ? {} : { vitals: found }),
        ...(captures.length === 0 ? {} : { captures }),
      };
    },
    async discard() {
      for (const { recorded } of await finished(true)) {
        if (typeof recorded !== 'string') await drop('empty' in recorded ? recorded.empty : recorded.id);
      }
    },
  };
}

/** Returns the CPUs that programs other than the server and Flamebench used since a moment; null: unknown. */
function othersOf(
  { target, processes, ticksPerSecond }: WatchedMachine,
  start: MachineMoment | null,
  end: MachineMoment | null,
): number | null {
  const own = processes.map(({ pid }) => pid);
  const engine = target.kind === 'local' ? [process.pid] : [];
  return otherCores(start, end, [...own, ...engine], ticksPerSecond);
}

/** Returns the CPU time of the machine's processes since their start; those that can't be read are absent. */
async function readCpu({ target, processes, ticksPerSecond }: WatchedMachine): Promise<CpuTimes> {
  const pids = processes.map(({ pid }) => pid);
  const stats = await readStats(target, pids).catch(() => new Map<number, ProcStat>());
  return new Map(
    [...stats].map(([pid, { startTicks, cpuTicks }]) => [pid, { startTicks, seconds: cpuTicks / ticksPerSecond }]),
  );
}

const titleOf = ({ concurrency, repeat }: WatchedRun, process: string, { test }: WatchContext): string =>
  `${process} at ${stepTitle({ concurrency })} (run ${repeat}) · ${test.name}`;

/** Of one CPU: less gives about ten samples in two seconds. */
const LEAST_CORES = 0.05;
const IDLE = 'less than 5 % of a CPU was used, too little for a profile.';
const NO_SAMPLES = 'there are no samples from most of the window; use longer runs or a less busy machine.';

/** The capture; the ID of one that is too small to use; or why there is none. */
type Recorded = CaptureDocument | { readonly empty: string; readonly why: string } | string;

/**
 * Records within a run. Never rejects. Nothing begins once the run is over; `stop` ends the recording, whose data is
 * kept.
 */
async function recordWindow(
  profile: HostPlan,
  name: string,
  seconds: number,
  { library, journal }: WatchContext,
  { over, stop: stopped }: { readonly over: AbortSignal; readonly stop: AbortSignal },
): Promise<Recorded> {
  try {
    await sleep(leadOf(seconds) * 1000, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return 'the run ended before its window.';
    const hosts = toRecordedHost(profile);
    const session = await startRecording(
      { library, ...(journal === undefined ? {} : { journal }) },
      { hosts, repeat: 1, pauseSeconds: 0, name },
    );
    const stop = (): void => void session.stop();
    stopped.addEventListener('abort', stop);
    if (stopped.aborted) stop();
    const result = await session.ended;
    stopped.removeEventListener('abort', stop);
    return recordedOf(result, windowOf(seconds));
  } catch (error) {
    return failureLine(recordingFailure(error));
  }
}

/** Returns the capture unless it covers less than half its window or has no samples. */
function recordedOf({ captures: [capture], error }: RecordingResult, window: number): Recorded {
  if (capture !== undefined) {
    const isShort = capture.durationMs === null || capture.durationMs < (window * 1000) / 2;
    return capture.samples === 0 || isShort ? { empty: capture.id, why: missedOf(capture) ?? NO_SAMPLES } : capture;
  }
  return error === null ? 'it was discarded.' : failureLine(error);
}

/** Returns what the recorder says about CPU time that it missed; null if it missed none. */
const missedOf = ({ diagnostics }: CaptureDocument): string | null =>
  diagnostics.find(({ code }) => code === CPU_TIME_MISSED)?.message ?? null;
