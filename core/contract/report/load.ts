import * as z from 'zod/mini';
import { LOAD_TOOL_IDS, type RunSeries } from '../load/result.ts';
import type { LoadRun, LoadTest } from '../load/load-test.ts';

/** A load test in a report: its runs, without the tools' outputs and the captures. */

const MAX_RUNS = 1000;
const MAX_LIST = 1000;

const word = z.string().check(z.maxLength(10_000));
const amount = z.number().check(z.nonnegative());
const orNull = z.nullable(amount);
const list = <T extends z.core.$ZodType>(of: T) => z.array(of).check(z.maxLength(MAX_LIST));

const populationSchema = z.object({ share: amount, from: amount, to: amount, median: orNull });

const hopLatencySchema = z.object({ p90: amount, p99: amount });

const probedSchema = z.object({
  hop: z.exactOptional(z.object({ name: word, latency: hopLatencySchema })),
  count: amount,
  lost: amount,
  failed: amount,
  populations: z.exactOptional(list(populationSchema)),
  cold: z.exactOptional(z.object({ instance: word, count: amount, median: orNull, warmMedian: orNull })),
});

const seriesSchema: z.ZodMiniType<RunSeries> = z.object({
  name: word,
  pid: z.nullable(z.int()),
  at: list(amount),
  series: list(z.object({ id: word, values: list(orNull) })),
  answers: z.exactOptional(probedSchema),
});

const resultSchema = z.object({
  tool: z.enum(LOAD_TOOL_IDS),
  target: z.nullable(word),
  concurrency: z.nullable(z.int().check(z.positive())),
  seconds: orNull,
  requests: orNull,
  qps: orNull,
  success: z.nullable(z.number().check(z.minimum(0), z.maximum(1))),
  errors: list(
    z.object({
      kind: z.enum(['connect', 'read', 'write', 'timeout', 'status', 'length', 'other']),
      detail: word,
      count: amount,
    }),
  ),
  bytes: orNull,
  latency: z.object({
    mean: orNull,
    deviation: orNull,
    min: orNull,
    max: orNull,
    percentiles: list(z.object({ percent: amount, seconds: amount })),
    buckets: list(z.object({ upTo: amount, count: amount })),
    populations: z.exactOptional(list(populationSchema)),
  }),
  overTime: z.exactOptional(seriesSchema),
  server: z.exactOptional(
    list(z.object({ name: word, pid: z.int(), cores: orNull, latency: z.exactOptional(hopLatencySchema) })),
  ),
  otherCores: z.exactOptional(amount),
  notes: list(word),
});

const runSchema = z.object({
  startedAt: orNull,
  result: resultSchema,
  vitals: z.exactOptional(list(seriesSchema)),
  isExtra: z.exactOptional(z.literal(true)),
});

const phasesSchema = z.object({
  blocked: z.exactOptional(amount),
  preflight: z.exactOptional(amount),
  dns: amount,
  tcp: amount,
  tls: orNull,
  firstByte: amount,
  download: amount,
  total: amount,
});

const probeSchema = z.object({
  plan: z.object({ url: word, headers: list(word), times: amount, restart: z.nullable(word), idle: amount }),
  samples: list(z.object({ cold: z.nullable(phasesSchema), kept: z.nullable(phasesSchema), status: z.number() })),
  notes: z.exactOptional(list(word)),
});

export const reportLoadSchema = z.object({
  /**
   * The side whose captures were recorded during it; `only`: both sides, or there is no comparison; `hop`: one of
   * several hops, the innermost first.
   */
  side: z.enum(['only', 'before', 'after', 'hop']),
  name: word,
  /** Exactly what ran; absent: unknown. */
  commands: z.exactOptional(list(list(word))),
  runs: z.array(runSchema).check(z.maxLength(MAX_RUNS)),
  /** What the knee must meet; absent: the default. */
  knee: z.exactOptional(z.object({ leastSuccess: amount, mostLatency: orNull })),
  /** Probes of one URL instead of runs. */
  probe: z.exactOptional(probeSchema),
});
export type ReportLoad = z.infer<typeof reportLoadSchema>;

/** Returns what a report keeps of a load test. */
export function reportLoadOf(
  side: ReportLoad['side'],
  {
    name,
    commands,
    probe,
    runs,
    plan,
    knee = plan?.knee,
  }: Pick<ReportLoad, 'name' | 'commands' | 'probe' | 'knee'> & {
    readonly runs: readonly LoadRun[];
    readonly plan?: LoadTest['plan'];
  },
): ReportLoad {
  return {
    side,
    name,
    ...(commands === undefined ? {} : { commands: commands.slice(0, MAX_LIST) }),
    runs: runs.slice(0, MAX_RUNS).map(({ startedAt, result, vitals, isExtra }) => ({
      startedAt,
      result: result as ReportLoad['runs'][number]['result'],
      ...(vitals === undefined ? {} : { vitals }),
      ...(isExtra === undefined ? {} : { isExtra }),
    })),
    ...(knee === undefined ? {} : { knee }),
    ...(probe === undefined ? {} : { probe }),
  };
}

/** Returns the side to which each load test belongs, by the IDs that the captures state. */
export function loadSides(
  before: readonly (string | undefined)[],
  after: readonly (string | undefined)[] | null,
): { readonly id: string; readonly side: ReportLoad['side'] }[] {
  const known = (ids: readonly (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))];
  const [first, second] = [known(before), after === null ? null : known(after)];
  if (second === null) return first.map((id) => ({ id, side: 'only' }));
  const shared = first.filter((id) => second.includes(id));
  if (shared.length > 0 && first.length === shared.length && second.length === shared.length) {
    return shared.map((id) => ({ id, side: 'only' }));
  }
  return [
    ...first.map((id) => ({ id, side: 'before' as const })),
    ...second.map((id) => ({ id, side: 'after' as const })),
  ];
}
