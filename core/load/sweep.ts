import { createFormatter } from '../units/format.ts';
import { tidy } from './readers/reader.ts';
import type { SeriesByRun } from './series/series-by-run.ts';
import { readSources, seriesGrowth, type SeriesGrowth } from './series/growth.ts';
import { latencyAt, serverCores, type LoadError, type LoadResult, type LoadToolId } from '../contract/load/result.ts';

/** All runs at one concurrency, in the order in which they ran. */
export interface LoadStep {
  /** Null if the tool does not report it; such runs form the last step. */
  readonly concurrency: number | null;
  readonly runs: readonly LoadResult[];
}

/** Runs of one set-up, by concurrency in ascending order. */
export interface LoadSweep {
  readonly name: string;
  readonly steps: readonly LoadStep[];
  /** What the knee must meet; absent: `DEFAULT_KNEE`. */
  readonly bound?: KneeBound;
  /** What probes beside the load show, a sentence each; absent: nothing, or there were none. */
  readonly probed?: readonly string[];
  /** What runs that were made for the profile say beyond the others, a sentence each; absent: nothing. */
  readonly profileNotes?: readonly string[];
  /** Series that grew without bound; absent: none, or none were read. */
  readonly growth?: readonly SeriesGrowth[];
  /** Sources of series that were read, without PIDs; absent: none. */
  readonly readSources?: ReadonlySet<string>;
  /** What was read beside the load; absent: nothing. */
  readonly series?: SeriesByRun;
}

/** Returns runs as a sweep, with the series of their answers that grew. */
export function sweepOf(name: string, results: readonly LoadResult[]): LoadSweep {
  return { name, steps: stepsByConcurrency(results), ...growthIn(results.map((result) => ({ result }))) };
}

/** Returns what runs show of series that grow. */
export function growthIn(runs: Parameters<typeof seriesGrowth>[0]): Pick<LoadSweep, 'growth' | 'readSources'> {
  const [growth, read] = [seriesGrowth(runs), readSources(runs)];
  return { ...(growth.length === 0 ? {} : { growth }), ...(read.size === 0 ? {} : { readSources: read }) };
}

/** Groups runs by their concurrency, in ascending order. */
export function stepsByConcurrency(results: readonly LoadResult[]): LoadStep[] {
  const byConcurrency = Map.groupBy(results, ({ concurrency }) => concurrency);
  const steps = [...byConcurrency].map(([concurrency, runs]) => ({ concurrency, runs }));
  return steps.sort((a, b) => (a.concurrency ?? Infinity) - (b.concurrency ?? Infinity));
}

/** A component of the server by its names on both sides; null: the side lacks it. */
interface PairedComponent {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Pairs the components of two sides: those of one name; of the others those that listen at one port, and the only one
 * that is left of each side, such as a binary of another name: `server-old → server-new`. The rest are of one side.
 */
export function pairComponents(before: LoadSweep, after: LoadSweep): PairedComponent[] {
  const [own, other] = [portsOf(before), portsOf(after)];
  const left = new Set([...own.keys()].filter((name) => !other.has(name)));
  const right = new Set([...other.keys()].filter((name) => !own.has(name)));
  const pairs = new Map<string, string>();
  const pair = (one: string, another: string): void => {
    pairs.set(one, another);
    left.delete(one);
    right.delete(another);
  };
  const sharing = (ports: ReadonlySet<number>, names: ReadonlySet<string>, side: typeof own): string[] =>
    [...names].filter((name) => [...side.get(name)!].some((port) => ports.has(port)));
  for (const name of left) {
    const [found, ...more] = sharing(own.get(name)!, right, other);
    if (found === undefined || more.length > 0) continue;
    if (sharing(other.get(found)!, left, own).length === 1) pair(name, found);
  }
  if (left.size === 1 && right.size === 1) pair([...left][0]!, [...right][0]!);
  return [
    ...[...own.keys()].map((name) => {
      const same = other.has(name) ? name : (pairs.get(name) ?? null);
      return { name: pairs.has(name) ? `${name} → ${same!}` : name, before: name, after: same };
    }),
    ...[...right].map((name) => ({ name, before: null, after: name })),
  ];
}

/** Returns the ports of each component, also those that are in the names of older results: `node :8080`. */
function portsOf({ steps }: LoadSweep): Map<string, Set<number>> {
  const byName = new Map<string, Set<number>>();
  for (const { name, port } of steps.flatMap(({ runs }) => runs.flatMap(({ server = [] }) => server))) {
    const named = / :(\d+)(?: on |$)/.exec(name)?.[1];
    const ports = [port, named === undefined ? undefined : Number(named)].filter((one) => one !== undefined);
    byName.set(name, new Set([...(byName.get(name) ?? []), ...ports]));
  }
  return byName;
}

/**
 * Returns what names the sources of series alike on both sides: a component of another name there has that of its pair,
 * also with the number that tells processes of one name apart.
 */
export function pairedNames(before: LoadSweep, after: LoadSweep): (source: string) => string {
  const names = new Map(
    pairComponents(before, after).flatMap(({ name, before: own, after: other }) =>
      [own, other].flatMap((one) => (one === null ? [] : [[one, name] as const])),
    ),
  );
  return (source) => {
    const [, own = source, number = ''] = /^(.*?)( \(\d+\))?$/s.exec(source) ?? [];
    return (names.get(own) ?? own) + number;
  };
}

/** Returns answers per second and CPU that the server used; null if it was not watched or used no CPU time. */
function qpsPerCore(result: LoadResult): number | null {
  const cores = serverCores(result);
  return result.qps === null || cores === null || cores === 0 ? null : result.qps / cores;
}

/** Returns the CPU seconds that the server's components spent per answer; null without answers. */
function cpuPerRequest(result: LoadResult): number | null {
  const cores = serverCores(result);
  return result.qps === null || result.qps === 0 || cores === null ? null : cores / result.qps;
}

/** Quantities of a run that are summarised, compared and tested. `unit` is one of core/units. */
export const LOAD_METRICS = [
  { id: 'qps', label: 'QPS', unit: '', isBetter: 'higher', read: ({ qps }: LoadResult) => qps },
  { id: 'success', label: 'success', unit: 'ratio', isBetter: 'higher', read: ({ success }: LoadResult) => success },
  { id: 'mean', label: 'mean', unit: 'seconds', isBetter: 'lower', read: ({ latency }: LoadResult) => latency.mean },
  {
    id: 'stdev',
    label: 'stdev',
    unit: 'seconds',
    isBetter: 'lower',
    read: ({ latency }: LoadResult) => latency.deviation,
  },
  ...([50, 75, 90, 95, 99] as const).map((percent) => ({
    id: `p${percent}` as const,
    label: `p${percent}`,
    unit: 'seconds' as const,
    isBetter: 'lower' as const,
    read: ({ latency }: LoadResult) => latencyAt(latency, percent),
  })),
  { id: 'max', label: 'max', unit: 'seconds', isBetter: 'lower', read: ({ latency }: LoadResult) => latency.max },
  { id: 'percore', label: 'QPS per core', unit: '', isBetter: 'higher', read: qpsPerCore },
  { id: 'cpu', label: 'CPU per request', unit: 'seconds', isBetter: 'lower', read: cpuPerRequest },
] as const satisfies readonly {
  readonly id: string;
  readonly label: string;
  readonly unit: 'seconds' | 'ratio' | '';
  readonly isBetter: 'higher' | 'lower';
  readonly read: (result: LoadResult) => number | null;
}[];

export type LoadMetric = (typeof LOAD_METRICS)[number];
export type LoadMetricId = LoadMetric['id'];

/** A metric of a whole run, of one component of its server, or of a series. */
export interface AnyMetric extends Pick<LoadMetric, 'label' | 'isBetter'> {
  /** `series`: read beside the load; `reading`: a series that is not tested. */
  readonly id: LoadMetricId | 'cores' | 'others' | 'series' | 'reading';
  readonly unit: LoadMetric['unit'] | 'bytes';
  readonly read: (result: LoadResult) => number | null;
  /** The least variance that a run's value has within the run; absent: unknown. */
  readonly variance?: (result: LoadResult) => number;
}

/** Returns the values of the runs that report the metric. */
export const valuesOf = ({ runs }: LoadStep, metric: AnyMetric): number[] =>
  runs.flatMap((run) => metric.read(run) ?? []);

/** Returns the mean over the step's runs; null if none reports the metric. */
export function meanOf(step: LoadStep, metric: AnyMetric): number | null {
  const values = valuesOf(step, metric);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export const loadMetric = (id: LoadMetricId): LoadMetric => LOAD_METRICS.find((one) => one.id === id)!;

/** Returns the step's errors of all runs, the most frequent first. */
export function errorsOf({ runs }: LoadStep): LoadError[] {
  const sums = new Map<string, LoadError>();
  for (const error of runs.flatMap(({ errors }) => errors)) {
    const key = `${error.kind} ${error.detail}`;
    sums.set(key, { ...error, count: error.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

/** Whether no request of a run succeeded. */
export const hasNoSuccess = ({ success, requests }: Pick<LoadResult, 'success' | 'requests'>): boolean =>
  success === 0 || requests === 0;

/** A note of results, with the number of runs that have it. */
export interface CountedNote {
  readonly note: string;
  readonly runs: number;
}

/** Returns the notes of runs, each once. */
export function notesOf(runs: readonly LoadResult[]): CountedNote[] {
  const counts = new Map<string, number>();
  for (const note of runs.flatMap(({ notes }) => notes)) {
    counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  return [...counts].map(([note, runs]) => ({ note, runs }));
}

/** Returns the tools that measured the sweep. */
export const toolsOf = ({ steps }: LoadSweep): LoadToolId[] => [
  ...new Set(steps.flatMap(({ runs }) => runs.map(({ tool }) => tool))),
];

/** What a step must meet to count as the knee. */
export interface KneeBound {
  /** 0 to 1. */
  readonly leastSuccess: number;
  /** Maximum p99 in seconds, or maximum mean latency if the tool reports no p99. Null: no limit. */
  readonly mostLatency: number | null;
}

export const DEFAULT_KNEE: KneeBound = { leastSuccess: 0.99, mostLatency: null };

/** Returns whether a step's means are within a bound; null if what decides it is unknown. */
export function meetsBound(step: LoadStep, { leastSuccess, mostLatency }: KneeBound = DEFAULT_KNEE): boolean | null {
  const success = meanOf(step, loadMetric('success'));
  const latency = meanOf(step, loadMetric('p99')) ?? meanOf(step, loadMetric('mean'));
  if (success !== null && success < leastSuccess) return false;
  if (mostLatency !== null && latency !== null && latency > mostLatency) return false;
  return success === null || (mostLatency !== null && latency === null) ? null : true;
}

/**
 * Returns the step with the highest mean QPS among those that are known to be within the bound; among equals the one
 * with the lowest concurrency. Null if no step is. Profiles at the knee are recorded there; whether QPS falls beyond it
 * is for `shownKnee` to say.
 */
export function kneeOf(sweep: LoadSweep, given?: KneeBound): LoadStep | null {
  let knee: LoadStep | null = null;
  let most = 0;
  for (const step of sweep.steps) {
    const qps = meanOf(step, loadMetric('qps'));
    if (meetsBound(step, given ?? sweep.bound) !== true || qps === null || qps <= most) continue;
    [knee, most] = [step, qps];
  }
  return knee;
}

/** Describes a bound: `a success rate of at least 99 % and a p99 of at most 50 ms`. */
export function boundText({ bound = DEFAULT_KNEE }: Pick<LoadSweep, 'bound'>): string {
  const { leastSuccess, mostLatency } = bound;
  const latency =
    mostLatency === null ? '' : ` and a p99 of at most ${createFormatter('en').value(mostLatency, 'seconds')}`;
  return `a success rate of at least ${tidy(leastSuccess * 100)} %${latency}`;
}
