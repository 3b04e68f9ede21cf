import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_VITALS, type LoadPlan, type LoadTest } from '#core/contract/load/load-test.ts';
import type { LoadSeries } from '#core/contract/load/series.ts';
import type { CollectorId } from '#core/contract/schemas.ts';
import type { LoadResult } from '#core/contract/load/result.ts';
import {
  capSteps,
  loadArgv,
  scheduleOf,
  planProblem,
  totalLoadText,
  unreadLoopNotes,
  warmUpsOf,
  withEventLoops,
  type LoadLimits,
  type ScheduledRun,
} from '#core/load/plan-load.ts';
import { shareOf } from '#core/load/merge-sources.ts';
import { boundText, kneeOf, sweepOf } from '#core/load/sweep.ts';
import { readingsPerRun, withHops } from '#core/load/vitals.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { messageOf } from '#core/model/failure.ts';
import { inspectProcess } from '#collectors/node/checks.ts';
import { signalArgv } from '#collectors/node/plan.ts';
import { toFailure } from '#collectors/recording-failure.ts';
import type { AnyCollector } from '#collectors/collector.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl } from './check-url.ts';
import type { LoadTests, LoadTestWriter } from './load-tests.ts';
import { readOrExplain, runTool, type LoadSender, type LoadTool } from './run-tool.ts';
import { planProbeSeries } from './probe-beside.ts';
import { watchSeries, type SeriesWatch } from './watch-series.ts';
import { planServer, watchServer, type PlannedServer, type ServerWatch, type WatchContext } from './watch-server.ts';

/** A sweep that is ready to start; exactly these commands will run. */
export interface PlannedLoad {
  readonly plan: LoadPlan;
  /** Name of the machine that sends the requests. */
  readonly host: string;
  /** Absolute path of the tool. */
  readonly program: string;
  readonly cpus: number;
  /** Why steps were left out; null if none were. */
  readonly leftOut: string | null;
  /** One command per step, followed by the commands that record the server. */
  readonly commands: readonly (readonly string[])[];
  /** Null if the server is not watched. */
  readonly server: PlannedServer | null;
  /** Further machines that send at the same moment. */
  readonly senders: readonly LoadSender[];
}

/** How the server is reached and recorded. */
export interface ServerAccess {
  readonly open: (targetId: string) => Promise<Target>;
  readonly collector: (id: CollectorId) => AnyCollector;
}

const INSTALL: Readonly<Record<LoadPlan['tool'], string>> = {
  locust: 'install it there (pip install locust)',
  wrk: 'install it there (Debian and Ubuntu: apt install wrk), or use --tool hey',
  hey: 'install it there (go install github.com/rakyll/hey@latest), or use --tool wrk',
};

/** Throws an `EngineFailure` if a plan asks for what is not possible anywhere. */
export function checkPlan(plan: LoadPlan): void {
  const problem = planProblem(plan);
  if (problem !== null) throw new EngineFailure('invalid-plan', `${problem[0]}.`, `${problem[1]}.`);
}

/** Checks the URL, the tool and what the machine can open. Rejects with an `EngineFailure`. */
export async function planLoad(target: Target, asked: LoadPlan, access?: ServerAccess): Promise<PlannedLoad> {
  checkUrl(asked.url);
  checkPlan(asked);
  const program = await findTool(target, asked.tool);
  if (asked.tool === 'locust' && (await target.stat(asked.script!)) === null)
    throw new EngineFailure('no-script', `There is no ${asked.script} on ${target.host}.`, 'Check Locust’s file.');
  const limits = await limitsOf(target);
  const senders: LoadSender[] = [];
  let least = limits;
  for (const id of asked.senders ?? []) {
    if (access === undefined) throw new EngineFailure('invalid-plan', 'Only one machine sends here.', 'Name no other.');
    const other = await access.open(id);
    const own = await limitsOf(other);
    senders.push({ target: other, program: await findTool(other, asked.tool), cpus: own.cpus });
    least = {
      ...least,
      openFiles: leastOf(least.openFiles, own.openFiles),
      ports: leastOf(least.ports, own.ports),
    };
  }
  const machines = [{ target, program, cpus: limits.cpus }, ...senders];
  const { concurrencies, why } = capSteps(asked.concurrencies, least, machines.length);
  if (concurrencies.length === 0) {
    throw new EngineFailure(
      'too-many',
      `No step is possible on ${target.host}: ${why}`,
      'Raise the limit, or ask for fewer connections.',
    );
  }
  const plan = withEventLoops({ ...asked, concurrencies: [...concurrencies] });
  const server =
    asked.server === undefined || access === undefined
      ? null
      : await planServer(access.open, asked.server, asked.seconds, access.collector);
  const loops = nodesOf(plan);
  for (const pid of loops) await checkNode(machineOf(server, target, pid), pid);
  const probes: string[][] = [];
  checkHops(asked, server);
  for (const one of asked.series ?? [])
    if (one.kind === 'probe') probes.push(await planProbeSeries(target, one, asked));
  const commands = concurrencies.flatMap((one) =>
    machines.flatMap((machine, place) => {
      const share = shareOf(one, machines.length, place);
      return share === 0 ? [] : [loadArgv(plan, machine.program, share, plan.seconds, machine.cpus)];
    }),
  );
  return {
    plan,
    host: target.host,
    program,
    cpus: limits.cpus,
    leftOut: why,
    commands: [...commands, ...(server?.commands ?? []), ...loops.map(signalArgv), ...probes].map(redactArgv),
    server,
    senders,
  };
}

/** Returns the absolute path of the tool. Rejects with an `EngineFailure` if it is missing. */
async function findTool(target: Target, tool: LoadPlan['tool']): Promise<string> {
  const program = await target.findExecutable(tool);
  if (program !== null) return program;
  throw new EngineFailure('no-tool', `${tool} is not installed on ${target.host}.`, INSTALL[tool]);
}

/** Null: unknown. */
const leastOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Describes the total load without secrets, for a confirmation; `shown` names the machine that sends the requests. */
export const plannedText = ({ plan, host, server, senders }: PlannedLoad, shown: string): string =>
  totalLoadText(
    { ...plan, url: redactText(plan.url) },
    shown,
    (server?.machines ?? []).map(({ target }) => (target.host === host ? shown : target.host)),
    senders.map(({ target }) => target.host),
  );

/** Returns the Node processes whose event loops are read. */
const nodesOf = ({ series = [] }: LoadPlan): number[] =>
  series.flatMap((one) => (one.kind === 'node' ? [one.pid] : []));

/** Returns the machine of a process: the server's that has it, else the one that sends the requests. */
const machineOf = (server: PlannedServer | null, target: Target, pid: number): Target =>
  server?.machines.find(({ processes }) => processes.some((one) => one.pid === pid))?.target ?? target;

/** Throws an `EngineFailure` if a probe or a histogram names a component that is not watched. */
function checkHops({ series = [] }: LoadPlan, server: PlannedServer | null): void {
  const names = (server?.machines ?? []).flatMap(({ processes }) => processes.map(({ name }) => name));
  for (const one of series) {
    const hop = one.kind === 'probe' || one.kind === 'histogram' ? one.hop : undefined;
    if (hop === undefined || names.includes(hop.name)) continue;
    throw new EngineFailure(
      'invalid-arguments',
      `No watched component is called ${hop.name}.`,
      names.length === 0 ? 'Name the server’s processes.' : `They are ${[...new Set(names)].join(', ')}.`,
    );
  }
}

async function checkNode(target: Target, pid: number): Promise<void> {
  await inspectProcess(target, { kind: 'pid', pid, startTicks: null }).catch((error: unknown) => {
    const { message, remedy } = toFailure(error);
    throw new EngineFailure('no-series', `Event loop of ${pid}: ${message}.`, remedy);
  });
}

/** Reads the target's limits; an unreadable one is unknown and imposes no limit. */
async function limitsOf(target: Target): Promise<LoadLimits> {
  const textOf = async (path: string): Promise<string> => {
    // Read by a process of the target: the limits that apply are the tool's, not this process's.
    const { stdout } = await runToEnd(target, ['cat', path]);
    return new TextDecoder().decode(stdout);
  };
  const [limits, range, cpuinfo] = await Promise.all(
    ['/proc/self/limits', '/proc/sys/net/ipv4/ip_local_port_range', '/proc/cpuinfo'].map((path) =>
      textOf(path).catch(() => ''),
    ),
  );
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits!)?.[1]);
  const [low, high] = range!.trim().split(/\s+/).map(Number);
  return {
    cpus: Math.max(1, [...cpuinfo!.matchAll(/^processor\s*:/gm)].length),
    openFiles: Number.isFinite(files) ? files : null,
    ports: high !== undefined && high > low! ? high - low! + 1 : null,
  };
}

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
