import { MAX_SOURCES, seriesTitle } from '../contract/load/series.ts';
import { redactText } from '../redact/secret-shapes.ts';
import { profileTitle } from '../contract/load/profile.ts';
import { RUNTIMES } from '../contract/runtimes.ts';
import { machinesOf, MAX_LOAD_RUNS, MAX_PROFILED_PROCESSES, type LoadPlan } from '../contract/load/load-test.ts';
import { andText } from './load-text.ts';
import { LATENCIES_FILE } from './merge-sources.ts';
import { countText, createFormatter } from '../units/format.ts';

/** Default concurrencies of a sweep. */
export const DEFAULT_CONCURRENCIES = [10, 20, 50, 100, 200] as const;

/** Preset for servers that hold many connections. */
export const HIGH_CONCURRENCIES = [200, 500, 1000, 3000, 5000, 10_000, 15_000, 20_000, 25_000, 50_000] as const;

/** What the machine that sends the requests allows. */
export interface LoadLimits {
  readonly cpus: number;
  /** Files that a process may open; null: unknown. */
  readonly openFiles: number | null;
  /** Local TCP ports, and so connections to one address; null: unknown. */
  readonly ports: number | null;
}

/** Files that a tool opens in addition to its connections: libraries, streams, and some for each thread. */
const OWN_FILES = 100;

/** What the preset needs; steps that are not possible are left out with the reason. */
export const HIGH_NEEDS = `needs ${number(50_000 + OWN_FILES)} open files per process (ulimit -n) and 50,000 local ports (net.ipv4.ip_local_port_range) on the machine that sends the requests`;

export interface CappedSteps {
  readonly concurrencies: readonly number[];
  readonly leftOut: readonly number[];
  /** Why steps were left out; null if none were. */
  readonly why: string | null;
}

/** Leaves out the steps with more connections than the machine can open, or each of as many `machines`. */
export function capSteps(
  concurrencies: readonly number[],
  { openFiles, ports }: LoadLimits,
  machines = 1,
): CappedSteps {
  const byFiles = openFiles === null ? Infinity : openFiles - OWN_FILES;
  const most = Math.min(byFiles, ports ?? Infinity) * machines;
  const leftOut = concurrencies.filter((one) => one > most);
  if (leftOut.length === 0) return { concurrencies, leftOut, why: null };
  const reason =
    byFiles <= (ports ?? Infinity)
      ? `a process may open ${number(openFiles!)} files there (ulimit -n)`
      : `it has ${number(ports!)} local ports (net.ipv4.ip_local_port_range)`;
  return {
    concurrencies: concurrencies.filter((one) => one <= most),
    leftOut,
    why: `${andText(leftOut.map(number))} connections are left out: ${reason}.`,
  };
}

/** Where Locust writes its history, in the folder that it runs in. */
export const HISTORY_FILE = 'load_stats_history.csv';

/** Returns the command of one run. */
export const loadArgv = (
  plan: LoadPlan,
  program: string,
  concurrency: number,
  seconds: number,
  cpus: number,
): string[] => [program, ...ARGUMENTS[plan.tool](plan, concurrency, seconds, cpus)];

const headersOf = ({ headers }: LoadPlan): string[] => headers.flatMap((header) => ['-H', header]);

/**
 * Returns the largest number of threads, up to `most`, that divides the connections: wrk opens ⌊connections ÷ threads⌋ in
 * each thread, so any other number would send a smaller load than its step says.
 */
function wrkThreads(most: number, connections: number): number {
  let threads = Math.min(most, connections);
  while (connections % threads !== 0) threads -= 1;
  return threads;
}

/** The arguments of each tool. */
const ARGUMENTS: Readonly<
  Record<LoadPlan['tool'], (plan: LoadPlan, concurrency: number, seconds: number, cpus: number) => string[]>
> = {
  wrk: (plan, concurrency, seconds, cpus) => [
    '-t',
    String(wrkThreads(plan.threads ?? 3 * cpus, concurrency)),
    '-c',
    String(concurrency),
    '-d',
    `${seconds}s`,
    '-T',
    `${TIMEOUT_SECONDS}s`,
    '--latency',
    ...(plan.senders !== undefined ? ['-s', LATENCIES_FILE] : plan.script === null ? [] : ['-s', plan.script]),
    ...headersOf(plan),
    ...(plan.shortConnections === true ? ['-H', 'Connection: close'] : []),
    plan.url,
  ],
  hey: (plan, concurrency, seconds) => [
    '-z',
    `${seconds}s`,
    '-c',
    String(concurrency),
    '-t',
    String(TIMEOUT_SECONDS),
    ...headersOf(plan),
    ...(plan.shortConnections === true ? ['-disable-keepalive'] : []),
    plan.url,
  ],
  locust: ({ script, url }, concurrency, seconds) => [
    '--headless',
    '--json',
    '--csv',
    HISTORY_FILE.replace('_stats_history.csv', ''),
    '--csv-full-history',
    '-f',
    script ?? '',
    '-H',
    url,
    '-u',
    String(concurrency),
    '-r',
    String(concurrency),
    '-t',
    `${seconds}s`,
  ],
};

/** Why results of several machines can't be merged. */
const UNMERGEABLE = {
  hey: 'its CSV lacks failed requests, and its summary has ten bars of latencies',
  locust: 'Locust distributes itself (--master and --worker)',
} as const;

/** Returns why a plan asks for what its tool can't do, with the remedy; null if it does not. */
export function planProblem({
  tool,
  script,
  headers,
  shortConnections,
  staircase,
  senders,
  concurrencies,
  repeats,
  server,
}: LoadPlan): [string, string] | null {
  const runs = (concurrencies.length + (server?.profile?.at === 'knee' ? 1 : 0)) * repeats;
  if (runs > MAX_LOAD_RUNS)
    return [`${number(runs)} runs are too many for a load test`, `use at most ${number(MAX_LOAD_RUNS)}`];
  if (senders !== undefined && tool !== 'wrk')
    return [`several machines that send need wrk: ${UNMERGEABLE[tool]}`, 'use --tool wrk'];
  if (senders !== undefined && script !== null)
    return [
      'several machines that send have a script of wrk’s of their own, which prints all latencies',
      'leave the script out',
    ];
  if (tool === 'hey' && script !== null) return ['hey takes no script', 'use wrk, or leave it out'];
  if (tool !== 'locust') return null;
  if (script === null || !script.startsWith('/'))
    return ['Locust needs a file, by its absolute path on the machine that it runs on', 'name it with --script (-f)'];
  if (headers.length > 0) return ['Locust takes no headers', 'set them in its file'];
  if (shortConnections === true) return ['Locust’s connections are up to its file', 'set Connection: close there'];
  return staircase === true ? ['a staircase is for wrk and hey', 'give Locust’s file a LoadTestShape'] : null;
}

/** Later answers count as errors. wrk's own default of 2 s would hide the latencies of an overloaded server. */
const TIMEOUT_SECONDS = 30;

/** One run of the sweep's schedule. */
export interface ScheduledRun {
  readonly concurrency: number;
  /** 1-based. */
  readonly repeat: number;
}

/** Returns the order of runs: the whole sweep once, then again, so that drift affects all steps alike. */
export const scheduleOf = ({ concurrencies, repeats }: LoadPlan): ScheduledRun[] =>
  Array.from({ length: repeats }, (_, repeat) =>
    concurrencies.map((concurrency) => ({ concurrency, repeat: repeat + 1 })),
  ).flat();

/** Levels of connections between two steps of a staircase. */
const RAMP_LEVELS = 5;

/** Load that is not measured. */
interface WarmUp {
  readonly concurrency: number;
  readonly seconds: number;
}

/**
 * Returns the load before a run: at its concurrency; in a staircase in up to 5 equal levels from the step before, or
 * from none, to its own, a second or more each.
 */
export function warmUpsOf(plan: LoadPlan, { concurrency }: Pick<ScheduledRun, 'concurrency'>): WarmUp[] {
  const { warmUp, staircase, concurrencies } = plan;
  if (warmUp === 0) return [];
  if (staircase !== true) return [{ concurrency, seconds: warmUp }];
  const before = concurrencies[concurrencies.indexOf(concurrency) - 1] ?? 0;
  const levels = Math.max(1, Math.min(RAMP_LEVELS, warmUp, concurrency - before));
  return Array.from({ length: levels }, (_, place) => ({
    concurrency: Math.round(before + ((concurrency - before) * (place + 1)) / levels),
    seconds: Math.floor((warmUp * (place + 1)) / levels) - Math.floor((warmUp * place) / levels),
  }));
}

/** Returns the duration of the whole test in seconds, without the time that tools take to start and end. */
function loadSeconds(plan: LoadPlan): number {
  const runs = plan.concurrencies.length * plan.repeats;
  return runs * (plan.warmUp + plan.seconds) + (runs - 1) * plan.coolDown;
}

/**
 * Describes the total load, for a confirmation: address, steps, runs, duration, most connections, where from.
 * `serverHosts`: the names of the server's machines, in the plan's order; `senders`: those of the further machines that
 * send.
 */
export function totalLoadText(
  plan: LoadPlan,
  host: string,
  serverHosts: readonly string[],
  senders: readonly string[] = [],
): string {
  const { concurrencies, repeats, seconds, warmUp, coolDown, tool, url } = plan;
  const runs = concurrencies.length * repeats;
  const steps = `${countText(concurrencies.length, 'step')} (${andText(concurrencies.map(number))} ${tool === 'locust' ? 'users' : 'connections'})`;
  const extras = [
    ...(warmUp > 0
      ? [plan.staircase === true ? `${warmUp} s before each to rise to it` : `a warm-up of ${warmUp} s before each`]
      : []),
    ...(coolDown > 0 && runs > 1 ? [`a pause of ${coolDown} s between runs`] : []),
  ];
  const each = `${countText(runs, 'run')} of ${number(seconds)} s${extras.length === 0 ? '' : `, with ${extras.join(' and ')}`}`;
  const whole = createFormatter('en').value(loadSeconds(plan), 'seconds');
  const watched = serverText(plan, host, serverHosts) + seriesText(plan) + consentText(plan);
  const [many, who] = tool === 'locust' ? ['users', 'as its file says'] : ['connections', 'as it answers'];
  const kind = plan.shortConnections === true ? ', a new one for each request' : '';
  const from = senders.length === 0 ? host : `${andText([host, ...senders])} together`;
  return `${tool} on ${from} sends as many requests to ${url} ${who}, over up to ${number(Math.max(...concurrencies))} ${many} at a time${kind}: ${steps}, ${each}; ${whole} in all.${watched}`;
}

/** Describes what is observed of the server meanwhile; empty if nothing is. */
function serverText({ server, seconds, repeats }: LoadPlan, from: string, hosts: readonly string[]): string {
  if (server === undefined) return '';
  const { profile } = server;
  const machines = machinesOf(server).map(({ pids }, place) => {
    const where = hosts.length > 1 || hosts[0] !== from ? ` on ${hosts[place]}` : '';
    return `${pids.length === 1 ? 'process' : 'processes'} ${pids.join(', ')}${where}`;
  });
  const who = machines.join(' and ');
  if (profile === null) return ` CPU time, memory and sockets of ${who} are read once a second.`;
  const runs = repeats === 1 ? 'one more run' : `${number(repeats)} more runs`;
  const when =
    profile.at === 'each' ? 'in each run' : `in ${runs} of ${number(seconds)} s at the knee, after the others`;
  const isPart = machinesOf(server).some(({ pids }) => pids.length > MAX_PROFILED_PROCESSES);
  const most = isPart ? `, at most ${MAX_PROFILED_PROCESSES} processes of each machine` : '';
  return ` ${profileTitle(profile)} records ${who} ${when}${most}.`;
}

/** Redacted by the caller like the URL. */
function seriesText(plan: LoadPlan): string {
  const each = (plan.series ?? []).map((one) =>
    one.kind === 'prometheus' ? `${redactText(one.url)}, once a second` : seriesTitle(one),
  );
  const read = each.length === 0 ? [] : [` Other series are read: ${each.join('; ')}.`];
  return [...read, ...unreadLoopNotes(plan).map((note) => ` ${note}`)].join('');
}

type Looped = Pick<LoadPlan, 'server' | 'series'>;

/** Returns the Node processes with a profile whose event loops are not among the series. */
function unreadLoops({ server, series = [] }: Looped): number[] {
  if (server?.profile?.collector !== 'node') return [];
  const pids = machinesOf(server).flatMap((machine) => machine.pids);
  return pids.filter((pid) => !series.some((one) => one.kind === 'node' && one.pid === pid));
}

/**
 * Adds the event loops of the Node processes with a profile to the series, as far as there is room; `but`: processes
 * that can't be recorded.
 */
export function withEventLoops<Plan extends Looped>(plan: Plan, but: readonly number[] = []): Plan {
  const loops = unreadLoops(plan).flatMap((pid) => (but.includes(pid) ? [] : [{ kind: 'node' as const, pid }]));
  const series = [...(plan.series ?? []), ...loops].slice(0, MAX_SOURCES);
  return series.length === 0 ? plan : { ...plan, series };
}

/** Says which event loops have no room among the series; empty if there are none. */
export function unreadLoopNotes(plan: Looped): string[] {
  const pids = unreadLoops(plan);
  if (pids.length === 0 || (plan.series ?? []).length < MAX_SOURCES) return [];
  const [loops, are] = pids.length === 1 ? ['event loop of process', 'is'] : ['event loops of processes', 'are'];
  const who = andText(pids.map(String));
  return [`The ${loops} ${who} ${are} not read: a load test has at most ${MAX_SOURCES} other series.`];
}

/** What the user accepts by having these collectors record, a sentence each. */
export const consentNotes = (collectors: readonly (string | undefined)[]): string[] =>
  RUNTIMES.filter(({ collector }) => collectors.includes(collector)).flatMap(({ note }) => note ?? []);

/** What the user accepts by the profile and by reading event loops. */
function consentText({ server, series = [] }: LoadPlan): string {
  const readsLoops = series.some(({ kind }) => kind === 'node');
  return consentNotes([server?.profile?.collector, readsLoops ? 'node' : undefined])
    .map((note) => ` ${note}`)
    .join('');
}

function number(value: number): string {
  return value.toLocaleString('en');
}
