import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_VITALS, type LoadPlan, type LoadTest } from '#core/contract/load-test.ts';
import type { CollectorId } from '#core/contract/schemas.ts';
import type { LoadResult } from '#core/contract/load-result.ts';
import {
  capSteps,
  loadArgv,
  scheduleOf,
  totalLoadText,
  type LoadLimits,
  type ScheduledRun,
} from '#core/load/plan-load.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { boundText, hasNoSuccess, kneeOf, sweepOf } from '#core/load/sweep.ts';
import { readingsPerRun } from '#core/load/vitals.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { inspectProcess } from '#collectors/node/checks.ts';
import { signalArgv } from '#collectors/node/plan.ts';
import { findOtherScheme } from '#collectors/fetch/other-scheme.ts';
import { toFailure } from '#collectors/recording-failure.ts';
import type { AnyCollector } from '#collectors/collector.ts';
import { joinBytes } from '#collectors/target/join-bytes.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { RunningProcess, Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl } from './check-url.ts';
import type { LoadTests, LoadTestWriter } from './load-tests.ts';
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
}

/** How the server is reached and recorded. */
export interface ServerAccess {
  readonly open: (targetId: string) => Promise<Target>;
  readonly collector: (id: CollectorId) => AnyCollector;
}

const INSTALL: Readonly<Record<LoadPlan['tool'], string>> = {
  wrk: 'install it there (Debian and Ubuntu: apt install wrk), or use --tool hey',
  hey: 'install it there (go install github.com/rakyll/hey@latest), or use --tool wrk',
};

/** Checks the URL, the tool and what the machine can open. Rejects with an `EngineFailure`. */
export async function planLoad(target: Target, asked: LoadPlan, access?: ServerAccess): Promise<PlannedLoad> {
  checkUrl(asked.url);
  const program = await target.findExecutable(asked.tool);
  if (program === null) {
    throw new EngineFailure('no-tool', `${asked.tool} is not installed on ${target.host}.`, INSTALL[asked.tool]);
  }
  const limits = await limitsOf(target);
  const { concurrencies, why } = capSteps(asked.concurrencies, limits);
  if (concurrencies.length === 0) {
    throw new EngineFailure(
      'too-many',
      `No step is possible on ${target.host}: ${why}`,
      'Raise the limit, or ask for fewer connections.',
    );
  }
  const plan = { ...asked, concurrencies: [...concurrencies] };
  const server =
    asked.server === undefined || access === undefined
      ? null
      : await planServer(access.open, asked.server, asked.seconds, access.collector);
  const loops = nodesOf(asked);
  for (const pid of loops) await checkNode(machineOf(server, target, pid), pid);
  const commands = concurrencies.map((one) => loadArgv(plan, program, one, plan.seconds, limits.cpus));
  return {
    plan,
    host: target.host,
    program,
    cpus: limits.cpus,
    leftOut: why,
    commands: [...commands, ...(server?.commands ?? []), ...loops.map(signalArgv)].map(redactArgv),
    server,
  };
}

/** Describes the total load without secrets, for a confirmation; `shown` names the machine that sends the requests. */
export const plannedText = ({ plan, host, server }: PlannedLoad, shown: string): string =>
  totalLoadText(
    { ...plan, url: redactText(plan.url) },
    shown,
    (server?.machines ?? []).map(({ target }) => (target.host === host ? shown : target.host)),
  );

/** Returns the Node processes whose event loops are read. */
const nodesOf = ({ series = [] }: LoadPlan): number[] =>
  series.flatMap((one) => (one.kind === 'node' ? [one.pid] : []));

/** Returns the machine of a process: the server's that has it, else the one that sends the requests. */
const machineOf = (server: PlannedServer | null, target: Target, pid: number): Target =>
  server?.machines.find(({ processes }) => processes.some((one) => one.pid === pid))?.target ?? target;

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
  const tool = await openTool(target, planned, { id: writer.id, name }, recordedInto, ending.signal).catch(
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
 * Returns false if the signal ended it; rejects if a run fails. Complete runs are kept.
 */
export async function runRound(
  target: Target,
  planned: PlannedLoad,
  round: number,
  {
    name,
    writer,
    recordedInto,
    signal,
    onProgress,
  }: Pick<StartLoad, 'name' | 'recordedInto'> & {
    readonly writer: LoadTestWriter;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: LoadProgress) => void;
  },
): Promise<boolean> {
  const tool = await openTool(target, planned, { id: writer.id, name }, recordedInto, signal);
  const counted = { done: 0, message: null };
  return makeRuns(tool, writer, onProgress, round * planned.plan.repeats, counted).finally(() => closeTool(tool));
}

/** Begins to watch the server and the other series. */
async function openTool(
  target: Target,
  { plan, program, cpus, leftOut, server }: PlannedLoad,
  test: WatchContext['test'],
  recordedInto: StartLoad['recordedInto'],
  signal: AbortSignal,
): Promise<Tool> {
  const watch =
    server === null || recordedInto === undefined ? null : await watchServer(server, plan, { ...recordedInto, test });
  const readings = readingsPerRun(plan.concurrencies.length * plan.repeats, plan.series?.length ?? 1, MAX_VITALS);
  const nodes = (pid: number): Target => machineOf(server, target, pid);
  try {
    const series = await watchSeries(plan.series ?? [], { target, nodes }, readings);
    return { plan, program, cpus, target, signal, leftOut, watch, series };
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
  ...(plan.series === undefined
    ? {}
    : { series: plan.series.map((one) => (one.kind === 'prometheus' ? { ...one, url: redactText(one.url) } : one)) }),
});

interface Tool extends Pick<PlannedLoad, 'plan' | 'program' | 'cpus' | 'leftOut'> {
  readonly watch: ServerWatch | null;
  readonly series: SeriesWatch;
  readonly target: Target;
  readonly signal: AbortSignal;
}

async function runAll(
  tool: Tool,
  writer: LoadTestWriter,
  keepsFailure: boolean,
  onProgress: (progress: LoadProgress) => void,
  isCancelled: () => boolean,
): Promise<LoadTest | null> {
  const counted: Counted = { done: 0, message: tool.leftOut };
  try {
    const isWhole = await makeRuns(tool, writer, onProgress, 0, counted);
    if (isCancelled() || counted.done === 0) {
      await writer.discard();
      return null;
    }
    return await writer.finish(isWhole ? 'finished' : 'stopped', counted.message);
  } catch (error) {
    const { done } = counted;
    const reason = error instanceof Error ? error.message : String(error);
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
      onProgress({ done: counted.done, planned, concurrency, phase, result });
    if (counted.done > 0 && plan.coolDown > 0) {
      report('pause');
      await sleep(plan.coolDown * 1000, undefined, { signal }).catch(() => undefined);
    }
    if (plan.warmUp > 0 && !signal.aborted) {
      report('warm-up');
      await runTool(tool, concurrency, plan.warmUp);
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
      const read = await readOrExplain(output, concurrency, tool);
      const others = await tool.series.during(startedAt, Date.now());
      const { result: watched, ...observed } = (await watch?.end(read)) ?? { result: read };
      const result = { ...watched, notes: [...watched.notes, ...others.notes] };
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
  const knee = kneeOf(sweepOf('', results), plan.knee)?.concurrency ?? null;
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

interface ToolOutput {
  readonly text: string;
  /** The last line of stderr. */
  readonly complaint: string;
  readonly exit: string;
}

/** Time beyond its duration that a tool may take for late answers and its report. Milliseconds. */
const GRACE_MS = 60_000;
const MAX_OUTPUT_BYTES = 4 << 20;

async function runTool(
  { plan, program, cpus, target, signal }: Tool,
  concurrency: number,
  seconds: number,
): Promise<ToolOutput> {
  const child = await target.run(loadArgv(plan, program, concurrency, seconds, cpus), { input: false });
  const end = (): void => child.kill('SIGKILL');
  const timer = setTimeout(end, seconds * 1000 + GRACE_MS);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    const [stdout, stderr, exit] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.exit]);
    return {
      text: `${stdout}${stderr}`,
      complaint: (stderr.trim() === '' ? stdout : stderr).trim().split('\n').at(-1) ?? '',
      exit:
        exit.signal === null
          ? exit.code === null
            ? 'the connection was lost'
            : `exit code ${exit.code}`
          : `ended by ${exit.signal}`,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

async function textOf(output: RunningProcess['stdout']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    if (size < MAX_OUTPUT_BYTES) chunks.push(chunk.slice());
    size += chunk.length;
  }
  return new TextDecoder().decode(joinBytes(chunks));
}

/** Like {@link readRun}; if nothing succeeded because the port speaks the other scheme, the failure says so. */
async function readOrExplain(output: ToolOutput, concurrency: number, { plan, target }: Tool): Promise<LoadResult> {
  let result: LoadResult | null = null;
  let failure: unknown = null;
  try {
    result = readRun(output, concurrency, plan);
    if (!hasNoSuccess(result)) return result;
  } catch (error) {
    failure = error;
  }
  const other = await findOtherScheme(target, plan.url);
  if (other !== null)
    throw new EngineFailure('other-scheme', `${plan.tool} got no answer: ${other.found}.`, other.remedy);
  if (result === null) throw failure;
  return result;
}

/** Returns the result of a run; throws an `EngineFailure` if the tool measured nothing. */
function readRun({ text, complaint, exit }: ToolOutput, concurrency: number, { tool, url }: LoadPlan): LoadResult {
  try {
    const [result] = readLoadResults(text);
    // wrk ends like this before it starts the test; hey counts refused connections.
    if (result!.seconds === null) throw refused(tool, concurrency, complaint);
    const [error] = result!.errors;
    if (error?.kind === 'connect' && error.count === result!.requests) throw refused(tool, concurrency, error.detail);
    return { ...result!, concurrency, target: redactText(url) };
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new EngineFailure(
      'tool-failed',
      `${tool} measured nothing at ${concurrency} connections (${exit}): ${redactText(complaint).slice(0, 300)}.`,
      'Run the command that was shown by hand to see why.',
    );
  }
}

const refused = (tool: string, concurrency: number, complaint: string): EngineFailure =>
  new EngineFailure(
    'refused',
    `${tool} could not connect at ${concurrency} connections: ${complaint.replace(/^unable to connect to |^Get "[^"]*": /, '').slice(0, 300)}.`,
    'Check that the server listens at this address, also as seen from the machine that sends the requests.',
  );
