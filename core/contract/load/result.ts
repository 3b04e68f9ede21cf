/** The tools and formats whose results are read. */
export const LOAD_TOOL_IDS = ['wrk', 'hey', 'ab', 'autocannon', 'oha', 'k6', 'locust', 'vegeta', 'hdr', 'dat'] as const;
export type LoadToolId = (typeof LOAD_TOOL_IDS)[number];

/** Why requests failed. `status`: the answer's status is an error; `length`: its length differs from the first's. */
export type LoadErrorKind = 'connect' | 'read' | 'write' | 'timeout' | 'status' | 'length' | 'other';

export interface LoadError {
  readonly kind: LoadErrorKind;
  /** The status code, or the tool's own words. */
  readonly detail: string;
  readonly count: number;
}

/** The number of answers that took longer than the bucket below and at most `upTo` seconds. */
export interface LatencyBucket {
  readonly upTo: number;
  readonly count: number;
}

/** `seconds`: the latency that `percent` % of the answers did not exceed. */
export interface LatencyPercentile {
  readonly percent: number;
  readonly seconds: number;
}

/** Answers that took about the same time, apart from all others. Seconds. */
export interface LatencyPopulation {
  /** Its part of all answers, 0 to 1. */
  readonly share: number;
  readonly from: number;
  readonly to: number;
  /** Null: only a histogram is known. */
  readonly median: number | null;
}

/** Latencies in seconds; null for what the tool does not report. */
export interface Latency {
  readonly mean: number | null;
  readonly deviation: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** In ascending order, without duplicates. */
  readonly percentiles: readonly LatencyPercentile[];
  /** In ascending order; empty if the tool reports none. */
  readonly buckets: readonly LatencyBucket[];
  /** At least two, the fastest first, with gaps between; absent: no gap was found. */
  readonly populations?: readonly LatencyPopulation[];
}

/** By nearest rank, in seconds. */
export interface HopLatency {
  readonly p90: number;
  readonly p99: number;
}

/** What single requests beside the load show of a run. Seconds. */
export interface ProbedAnswers {
  readonly count: number;
  /** Requests without an answer, which are not in `count`. */
  readonly lost: number;
  /** Answers with a status of 4xx or 5xx. */
  readonly failed: number;
  readonly populations?: readonly LatencyPopulation[];
  /** The component of the server that was requested, and its latencies; absent: the address under load. */
  readonly hop?: { readonly name: string; readonly latency: HopLatency };
  /** The first answers of each instance, which `instance`, a header of the answers, names; absent: not asked for. */
  readonly cold?: {
    readonly instance: string;
    readonly count: number;
    readonly median: number | null;
    readonly warmMedian: number | null;
  };
}

/** What was observed during a run: columns, a value per reading, null where there is none. */
export interface RunSeries {
  readonly name: string;
  /** Of a process; null: another source, which `name` names. */
  readonly pid: number | null;
  /** Seconds after the start of the run, ascending. */
  readonly at: readonly number[];
  readonly series: readonly { readonly id: string; readonly values: readonly (number | null)[] }[];
  /** Of probes. */
  readonly answers?: ProbedAnswers;
}

/** A component of the server: one process. */
export interface ServerUse {
  /** The process's name. */
  readonly name: string;
  readonly pid: number;
  /** CPU seconds (user and system) per second of the run: 1.5 are one and a half CPUs. Null: not readable. */
  readonly cores: number | null;
  /** Of probes of the component; absent: there were none. */
  readonly latency?: HopLatency;
}

/** The result of one run of a load-testing tool: one concurrency, one duration. Null: not reported by the tool. */
export interface LoadResult {
  readonly tool: LoadToolId;
  /** URL or name of the tested service. */
  readonly target: string | null;
  /** Connections, clients or users. */
  readonly concurrency: number | null;
  readonly seconds: number | null;
  /** Requests that ended, by an answer or an error. */
  readonly requests: number | null;
  /** Answers per second, whatever their status. */
  readonly qps: number | null;
  /** Requests that succeeded ÷ requests, 0 to 1. Null also if no request ended. */
  readonly success: number | null;
  readonly errors: readonly LoadError[];
  /** Bytes received. */
  readonly bytes: number | null;
  readonly latency: Latency;
  /** The tool's own answers by time; absent if its result has no times. */
  readonly overTime?: RunSeries;
  /** CPU time of the server's processes during the run; absent if they were not watched. */
  readonly server?: readonly ServerUse[];
  /**
   * CPUs that programs other than the server, the tool and Flamebench used or waited for on the server's machines during
   * the run; absent: unknown.
   */
  readonly otherCores?: number;
  /** What a reader of these numbers must know about them: one sentence each. */
  readonly notes: readonly string[];
}

export const NO_LATENCY: Latency = {
  mean: null,
  deviation: null,
  min: null,
  max: null,
  percentiles: [],
  buckets: [],
};

/** Returns the latency in seconds at a percentile that the tool reports; 100 is the maximum. Null if it does not. */
export function latencyAt({ percentiles, max }: Latency, percent: number): number | null {
  return percentiles.find((one) => one.percent === percent)?.seconds ?? (percent === 100 ? max : null);
}

/** Returns successes ÷ requests, limited to 0 and 1 if the counts contradict each other; null without requests. */
export const successOf = (requests: number, failed: number): number | null =>
  requests > 0 ? Math.min(1, Math.max(0, (requests - failed) / requests)) : null;

/** Returns the number of failed requests. */
export const failuresOf = (errors: readonly LoadError[]): number => errors.reduce((sum, { count }) => sum + count, 0);

/** Returns the errors that occurred. */
export const occurred = (errors: readonly LoadError[]): LoadError[] => errors.filter(({ count }) => count > 0);

/** Returns the CPUs that all components of the server used; null if one of them is unknown, or none was watched. */
export function serverCores({ server = [] }: LoadResult): number | null {
  const known = server.flatMap(({ cores }) => cores ?? []);
  return known.length === 0 || known.length < server.length ? null : known.reduce((sum, one) => sum + one, 0);
}
