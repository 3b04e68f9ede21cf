import type { LoadResult, RunSeries, ServerUse } from '../contract/load/result.ts';
import type { CaptureDocument } from '../contract/schemas.ts';

/** One reading of a process, from /proc. Null: not readable. */
export interface VitalsReading {
  /** Unix epoch milliseconds of the machine that runs the sweep. */
  readonly at: number;
  /** Seconds since the boot of the process's machine. */
  readonly uptime: number;
  readonly pid: number;
  /** Distinguishes a reused PID, see `ProcessRow`. */
  readonly startTicks: string;
  /** User and system time of all threads since its start. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  readonly threads: number;
  /** Context switches of all its threads since their start. */
  readonly switches: number | null;
  readonly files: number | null;
  /** TCP sockets of its ports by state; null if it listens at none that could be found. */
  readonly sockets: ReadonlyMap<string, number> | null;
}

/** A watched process and its name. */
export interface WatchedProcess {
  readonly pid: number;
  readonly name: string;
  /** See `ServerUse`. */
  readonly port?: number;
}

/** A series of vitals. `unit` is one of core/units. */
export interface VitalsSeries {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
}

const SERIES: readonly (VitalsSeries & {
  readonly read: (reading: VitalsReading, before: VitalsReading | null) => number | null;
})[] = [
  {
    id: 'cpu',
    label: 'CPU',
    unit: 'ratio',
    read: (now, before) => rateOf(now, before, ({ cpuSeconds }) => cpuSeconds),
  },
  { id: 'rss', label: 'Memory (RSS)', unit: 'bytes', read: ({ rssBytes }) => rssBytes },
  { id: 'threads', label: 'Threads', unit: '', read: ({ threads }) => threads },
  {
    id: 'switches',
    label: 'Context switches per second',
    unit: '',
    read: (now, before) => rateOf(now, before, ({ switches }) => switches),
  },
  { id: 'files', label: 'Open files', unit: '', read: ({ files }) => files },
];

/** Series of answers, by interval of the run. */
const ANSWERS: readonly VitalsSeries[] = [
  { id: 'answers', label: 'Answers per second', unit: '' },
  { id: 'clients', label: 'Clients', unit: '' },
  { id: 'mean', label: 'Mean latency over time', unit: 'seconds' },
  { id: 'p50', label: 'p50 over time', unit: 'seconds' },
  { id: 'p99', label: 'p99 over time', unit: 'seconds' },
  { id: 'cold', label: 'First answers of an instance', unit: '' },
];

export const isOfAnswers = (id: string): boolean => ANSWERS.some((one) => one.id === id);

const SOCKETS = 'sockets:';
/** Begins the IDs of series that are not from /proc. */
export const OTHER_SERIES = 'other:';

/** Describes a series of stored vitals. */
export function vitalsSeries(id: string): VitalsSeries {
  const known = [...SERIES, ...ANSWERS].find((one) => one.id === id);
  if (known !== undefined) return known;
  if (id.startsWith(OTHER_SERIES)) return { id, label: id.slice(OTHER_SERIES.length), unit: '' };
  return id.startsWith(SOCKETS)
    ? { id, label: `TCP sockets: ${id.slice(SOCKETS.length)}`, unit: '' }
    : { id, label: id, unit: '' };
}

/** Returns the change of a counter per second; null without an earlier reading, or if it fell because threads ended. */
function rateOf(
  now: VitalsReading,
  before: VitalsReading | null,
  read: (reading: VitalsReading) => number | null,
): number | null {
  const [end, start] = [read(now), before === null ? null : read(before)];
  if (end === null || start === null || end < start || !(now.uptime > before!.uptime)) return null;
  return rounded((end - start) / (now.uptime - before!.uptime));
}

/** Rounds to the digits that /proc can state. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Returns the readings of one process during a run, in order, until another process takes over its PID. */
function readingsOf(readings: readonly VitalsReading[], pid: number, from: number, to: number): VitalsReading[] {
  const own = readings.filter((one) => one.pid === pid);
  return own.filter(({ at, startTicks }) => at >= from && at <= to && startTicks === own[0]!.startTicks);
}

/** Returns the vitals of each process between two times, with at most `most` readings each. */
export function vitalsOfRun(
  readings: readonly VitalsReading[],
  processes: readonly WatchedProcess[],
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
): RunSeries[] {
  return processes.flatMap(({ pid, name }) => {
    const all = readingsOf(readings, pid, from, to);
    const each = Math.max(1, Math.ceil(all.length / Math.max(1, most)));
    const kept = all.filter((_, place) => place % each === 0);
    if (kept.length === 0) return [];
    const states = [...new Set(kept.flatMap(({ sockets }) => [...(sockets?.keys() ?? [])]))].sort();
    const columns = [
      ...SERIES.map(({ id, read }) => ({ id, values: kept.map((one, place) => read(one, kept[place - 1] ?? null)) })),
      ...states.map((state) => ({
        id: `${SOCKETS}${state}`,
        values: kept.map(({ sockets }) => (sockets === null ? null : (sockets.get(state) ?? 0))),
      })),
    ];
    return {
      name,
      pid,
      at: kept.map(({ at }) => Math.round(at - from) / 1000),
      series: columns.filter(({ values }) => values.some((value) => value !== null)),
    };
  });
}

/** Returns the CPUs that each process used between two times, from its first to its last reading there. */
export function serverUses(
  readings: readonly VitalsReading[],
  processes: readonly WatchedProcess[],
  { from, to }: { readonly from: number; readonly to: number },
): ServerUse[] {
  return processes.map(({ pid, name, port }) => {
    const own = readingsOf(readings, pid, from, to);
    const [first, last] = [own[0], own.at(-1)];
    const cores = last === undefined ? null : rateOf(last, first ?? null, ({ cpuSeconds }) => cpuSeconds);
    return { name, pid, cores, ...(port === undefined ? {} : { port }) };
  });
}

/** CPU seconds of processes since their start, by PID. */
export type CpuTimes = ReadonlyMap<number, { readonly startTicks: string; readonly seconds: number }>;

/**
 * Returns the CPUs of processes over a whole run: CPU time between its start and its end ÷ the tool's seconds, in which
 * its answers were counted. Those between readings are kept for a process that was not the same at both, or unreadable.
 */
export const withCpuOfRun = (
  uses: readonly ServerUse[],
  start: CpuTimes,
  end: CpuTimes,
  seconds: number | null,
): ServerUse[] =>
  uses.map((use) => {
    const [first, last] = [start.get(use.pid), end.get(use.pid)];
    if (!first || !last || first.startTicks !== last.startTicks || !seconds) return use;
    return { ...use, cores: rounded(Math.max(0, last.seconds - first.seconds) / seconds) };
  });

/** Returns a note for each process whose CPU time is unknown, for example because it ended. */
export const unknownCpuNotes = (uses: readonly ServerUse[]): string[] =>
  uses.flatMap(({ name, pid, cores }) =>
    cores === null ? [`No CPU time of ${name} (${pid}): it could not be read twice.`] : [],
  );

/** Adds what probes and histograms of its components show to a run's server. */
export function withHops(result: LoadResult, vitals: readonly RunSeries[]): LoadResult {
  const hops = new Map(
    vitals.flatMap(({ answers }) =>
      answers?.hop === undefined ? [] : [[answers.hop.name, answers.hop.latency] as const],
    ),
  );
  if (result.server === undefined || hops.size === 0) return result;
  return {
    ...result,
    server: result.server.map((use) => {
      const latency = hops.get(use.name);
      return latency === undefined ? use : { ...use, latency };
    }),
  };
}

/** Returns the number of answers during both a run and a capture of it; null if unknown or none. */
export function requestsDuring(
  { startedAt, durationMs }: CaptureDocument,
  { qps }: LoadResult,
  from: number,
  to: number,
): number | null {
  if (startedAt === null || durationMs === null || qps === null) return null;
  const seconds = (Math.min(to, startedAt + durationMs) - Math.max(from, startedAt)) / 1000;
  return seconds > 0 && qps > 0 ? Math.round(qps * seconds) || null : null;
}

/** Maximum number of readings of a whole test: a document has at most 8 MiB. */
const MAX_READINGS = 20_000;

/** Returns how many readings of each process are kept of a run. */
export function readingsPerRun(runs: number, processes: number, most: number): number {
  const all = Math.max(1, runs * processes);
  return Math.min(most, Math.max(all * 4 > 2 * MAX_READINGS ? 1 : 4, Math.floor(MAX_READINGS / all)));
}
