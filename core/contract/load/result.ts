import * as z from 'zod/mini';
import type { DeepReadonly } from '../deep-readonly.ts';

/** The tools and formats whose results are read. */
export const LOAD_TOOL_IDS = ['wrk', 'hey', 'ab', 'autocannon', 'oha', 'k6', 'locust', 'vegeta', 'hdr', 'dat'] as const;
export type LoadToolId = (typeof LOAD_TOOL_IDS)[number];

/** Maximum number of readings of a process that are kept of one run. */
export const MAX_VITALS = 120;

/** Maximum number of the server's processes that a sweep watches: a prefork server may have one per CPU. */
export const MAX_SERVER_PROCESSES = 64;

const word = z.string().check(z.maxLength(10_000));
const amount = z.number().check(z.nonnegative());
const orNull = z.nullable(amount);
const pid = z.int().check(z.positive());
const listOf = <T extends z.core.$ZodType>(row: T, most: number) => z.array(row).check(z.maxLength(most));

/** Answers that took about the same time, apart from all others. Seconds. */
const populationSchema = z.object({
  /** Its part of all answers, 0 to 1. */
  share: amount.check(z.maximum(1)),
  from: amount,
  to: amount,
  /** Null: only a histogram is known. */
  median: orNull,
});
export type LatencyPopulation = DeepReadonly<z.infer<typeof populationSchema>>;

/** At least two, the fastest first, with gaps between; absent: no gap was found. */
const populations = z.exactOptional(listOf(populationSchema, 100).check(z.minLength(2)));

/** Latencies in seconds; null for what the tool does not report. */
const latencySchema = z.object({
  mean: orNull,
  deviation: orNull,
  min: orNull,
  max: orNull,
  /** In ascending order, without duplicates. `seconds`: the latency that `percent` % of the answers did not exceed. */
  percentiles: listOf(z.object({ percent: amount.check(z.maximum(100)), seconds: amount }), 1000),
  /**
   * In ascending order; empty if the tool reports none. `count`: the number of answers that took longer than the bucket
   * below and at most `upTo` seconds.
   */
  buckets: listOf(z.object({ upTo: amount, count: amount }), 1000),
  populations,
});
export type Latency = DeepReadonly<z.infer<typeof latencySchema>>;
export type LatencyBucket = Latency['buckets'][number];

/** By nearest rank, in seconds. */
const hopLatencySchema = z.object({ p90: amount, p99: amount });
export type HopLatency = DeepReadonly<z.infer<typeof hopLatencySchema>>;

/** What single requests beside the load show of a run. Seconds. */
const probedSchema = z.object({
  count: amount,
  /** Requests without an answer, which are not in `count`. */
  lost: amount,
  /** Answers with a status of 4xx or 5xx. */
  failed: amount,
  populations,
  /** The component of the server that was requested, and its latencies; absent: the address under load. */
  hop: z.exactOptional(z.object({ name: word, latency: hopLatencySchema })),
  /** The first answers of each instance, which `instance`, a header of the answers, names; absent: not asked for. */
  cold: z.exactOptional(z.object({ instance: word, count: amount, median: orNull, warmMedian: orNull })),
});
export type ProbedAnswers = DeepReadonly<z.infer<typeof probedSchema>>;

/** What was observed during a run: columns, a value per reading, null where there is none. */
const seriesSchema = z.object({
  name: word,
  /** Of a process; null: another source, which `name` names. */
  pid: z.nullable(pid),
  /** Seconds after the start of the run, ascending. */
  at: listOf(amount, MAX_VITALS),
  series: listOf(z.object({ id: word, values: listOf(orNull, MAX_VITALS) }), 40),
  /** Of probes. */
  answers: z.exactOptional(probedSchema),
});
export type RunSeries = DeepReadonly<z.infer<typeof seriesSchema>>;
export const runSeriesSchema: z.ZodMiniType<RunSeries> = seriesSchema;

/** A component of the server: one process. */
const serverUseSchema = z.object({
  /** The process's name. */
  name: word,
  pid,
  /** CPU seconds (user and system) per second of the run: 1.5 are one and a half CPUs. Null: not readable. */
  cores: orNull,
  /** The lowest TCP port at which it listens; absent: none, unknown, or it is the only process. */
  port: z.exactOptional(z.int().check(z.positive())),
  /** Of probes of the component; absent: there were none. */
  latency: z.exactOptional(hopLatencySchema),
});
export type ServerUse = DeepReadonly<z.infer<typeof serverUseSchema>>;

const errorSchema = z.object({
  /** `status`: the answer's status is an error; `length`: its length differs from the first's. */
  kind: z.enum(['connect', 'read', 'write', 'timeout', 'status', 'length', 'other']),
  /** The status code, or the tool's own words. */
  detail: word,
  count: amount,
});
export type LoadError = DeepReadonly<z.infer<typeof errorSchema>>;
export type LoadErrorKind = LoadError['kind'];

/** The result of one run of a load-testing tool: one concurrency, one duration. Null: not reported by the tool. */
const resultSchema = z.object({
  tool: z.enum(LOAD_TOOL_IDS),
  /** URL or name of the tested service. */
  target: z.nullable(word),
  /** Connections, clients or users. */
  concurrency: z.nullable(z.int().check(z.positive())),
  seconds: orNull,
  /** Requests that ended, by an answer or an error. */
  requests: orNull,
  /** Answers per second, whatever their status. */
  qps: orNull,
  /** Requests that succeeded ÷ requests, 0 to 1. Null also if no request ended. */
  success: z.nullable(amount.check(z.maximum(1))),
  errors: listOf(errorSchema, 1000),
  /** Bytes received. */
  bytes: orNull,
  latency: latencySchema,
  /** The tool's own answers by time; absent if its result has no times. */
  overTime: z.exactOptional(seriesSchema),
  /** CPU time of the server's processes during the run; absent if they were not watched. */
  server: z.exactOptional(listOf(serverUseSchema, MAX_SERVER_PROCESSES)),
  /**
   * CPUs that programs other than the server, the tool and Flamebench used or waited for on the server's machines during
   * the run; absent: unknown.
   */
  otherCores: z.exactOptional(amount),
  /** What a reader of these numbers must know about them: one sentence each. */
  notes: listOf(word, 100),
});
export type LoadResult = DeepReadonly<z.infer<typeof resultSchema>>;
export const loadResultSchema: z.ZodMiniType<LoadResult> = resultSchema;

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
