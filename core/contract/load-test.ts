import { z } from 'zod';
import { LOAD_TOOL_IDS, type LoadResult } from '../load/load-result.ts';

const amount = z.number().nonnegative();
const orNull = amount.nullable();

export const loadResultSchema: z.ZodType<LoadResult> = z.object({
  tool: z.enum(LOAD_TOOL_IDS),
  target: z.string().max(4096).nullable(),
  concurrency: z.number().int().positive().nullable(),
  seconds: orNull,
  requests: orNull,
  qps: orNull,
  success: z.number().min(0).max(1).nullable(),
  errors: z
    .array(
      z.object({
        kind: z.enum(['connect', 'read', 'write', 'timeout', 'status', 'length', 'other']),
        detail: z.string().max(400),
        count: amount,
      }),
    )
    .max(1000),
  bytes: orNull,
  latency: z.object({
    mean: orNull,
    deviation: orNull,
    min: orNull,
    max: orNull,
    percentiles: z.array(z.object({ percent: amount.max(100), seconds: amount })).max(1000),
    buckets: z.array(z.object({ upTo: amount, count: amount })).max(1000),
  }),
  notes: z.array(z.string().max(1000)).max(100),
});

/** Maximum number of runs of a load test. */
export const MAX_LOAD_RUNS = 1000;

/** What a load test that Flamebench runs consists of. Durations are in seconds. */
export const loadPlanSchema = z.object({
  tool: z.enum(['wrk', 'hey']),
  url: z.string().min(1).max(4096),
  /** `Name: value`; secrets are not stored. */
  headers: z.array(z.string().min(1).max(4096)).max(100),
  /** wrk's Lua script, a path on the machine that it runs on. */
  script: z.string().min(1).max(4096).nullable(),
  concurrencies: z.array(z.number().int().min(1).max(1_000_000)).min(1).max(100),
  seconds: z.number().int().min(1).max(3600),
  repeats: z.number().int().min(1).max(100),
  /** Load before each step's first run, at its concurrency; its result is not kept. */
  warmUp: z.number().int().min(0).max(600),
  /** Pause between runs. */
  coolDown: z.number().int().min(0).max(600),
  /** Threads of wrk. Null: three per CPU of the machine that it runs on. */
  threads: z.number().int().min(1).max(10_000).nullable(),
});
export type LoadPlan = z.infer<typeof loadPlanSchema>;

/** `interrupted` is not stored: the process that was running the test has ended without saying so. */
const stateSchema = z.enum(['running', 'finished', 'stopped', 'failed']);
export type LoadTestState = z.infer<typeof stateSchema> | 'interrupted';

export const loadRunSchema = z.object({
  /** File of the tool's output in the folder; null if it was not kept. */
  file: z.string().max(200).nullable(),
  /** Unix epoch milliseconds; null for a file. */
  startedAt: amount.nullable(),
  result: loadResultSchema,
});
export type LoadRun = z.infer<typeof loadRunSchema>;

/** A load test of the library: the results of one sweep, as `load.json`. */
export const loadTestSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  name: z.string(),
  createdAt: amount,
  changedAt: amount,
  state: stateSchema,
  /** Why it failed, or what it lacks. */
  message: z.string().nullable(),
  /** The machine that sent the requests; null for files. */
  host: z.string().nullable(),
  /** Null for files. */
  plan: loadPlanSchema.nullable(),
  runs: z.array(loadRunSchema).max(MAX_LOAD_RUNS),
});
export type StoredLoadTest = z.infer<typeof loadTestSchema>;
export type LoadTest = Omit<StoredLoadTest, 'state'> & { readonly state: LoadTestState };
