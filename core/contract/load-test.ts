import * as z from 'zod';
import { MAX_LOAD_PAUSE_SECONDS } from './limits.ts';
import { LOAD_TOOL_IDS, type LoadResult } from './load-result.ts';
import { loadSeriesSchema, MAX_SOURCES } from './load-series.ts';
import { loadProfileSchema } from './load-profile.ts';
import { storedProbeSchema } from './load-probe.ts';
import { targetIdSchema } from './schemas.ts';

/** Maximum number of readings of a process that are kept of one run. */
export const MAX_VITALS = 120;

const amount = z.number().nonnegative();
const orNull = amount.nullable();

/** Maximum number of the server's processes that a sweep watches. */
export const MAX_SERVER_PROCESSES = 8;

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
  server: z
    .array(z.object({ name: z.string().max(100), pid: z.number().int().positive(), cores: orNull }))
    .max(MAX_SERVER_PROCESSES)
    .exactOptional(),
  notes: z.array(z.string().max(1000)).max(100),
});

/** Maximum number of runs of a load test. */
export const MAX_LOAD_RUNS = 1000;

const machineSchema = z.object({
  target: targetIdSchema,
  pids: z.array(z.number().int().positive().max(2_147_483_647)).min(1).max(MAX_SERVER_PROCESSES),
  /** What the processes are called, in the order of `pids`; null and absent: as their programs are. */
  names: z.array(z.string().min(1).max(100).nullable()).max(MAX_SERVER_PROCESSES).exactOptional(),
});

/** The processes under load, which are watched during each run. */
const loadServerSchema = machineSchema
  .extend({
    /** Further machines with components of the server: a gateway, a sidecar. */
    others: z
      .array(machineSchema)
      .max(MAX_SERVER_PROCESSES - 1)
      .exactOptional(),
    /** Null: none is recorded. */
    profile: loadProfileSchema.nullable(),
  })
  .refine((server) => machinesOf(server).flatMap(({ pids }) => pids).length <= MAX_SERVER_PROCESSES, {
    message: `at most ${MAX_SERVER_PROCESSES} processes are watched`,
  })
  .refine(
    ({ pids, profile, others = [] }) =>
      (pids.length === 1 && others.length === 0) || profile?.collector !== 'pprof' || profile.url === null,
    { message: 'a pprof address belongs to one process only' },
  );

/** A machine of the server, and its processes there. */
export type ServerMachine = z.infer<typeof machineSchema>;

/** Returns the machines of a server. */
export const machinesOf = ({
  target,
  pids,
  names,
  others = [],
}: ServerMachine & { readonly others?: readonly ServerMachine[] }): ServerMachine[] => [
  { target, pids, ...(names === undefined ? {} : { names }) },
  ...others,
];
export type LoadServer = z.infer<typeof loadServerSchema>;

/** Minimum seconds of a run that records profiles: a window of one second, with one second before and after it. */
export const MIN_PROFILED_SECONDS = 3;

/** What a step must meet to count as the knee. */
export const kneeBoundSchema = z.object({
  leastSuccess: z.number().min(0).max(1),
  /** p99 in seconds, or the mean without one; null: no limit. */
  mostLatency: z.number().positive().nullable(),
});

/** A load test that Flamebench runs. Durations are in seconds. */
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
  /** Load before each run, at its concurrency; its result is not kept. */
  warmUp: z.number().int().min(0).max(MAX_LOAD_PAUSE_SECONDS),
  /** Pause between runs. */
  coolDown: z.number().int().min(0).max(MAX_LOAD_PAUSE_SECONDS),
  /** Threads of wrk. Null: three per CPU of the machine that it runs on. */
  threads: z.number().int().min(1).max(10_000).nullable(),
  /** Absent: nothing of the server is watched. */
  server: loadServerSchema.exactOptional(),
  /** Series beside the vitals; absent: none. */
  series: z.array(loadSeriesSchema).min(1).max(MAX_SOURCES).exactOptional(),
  /** What the knee must meet; absent: `DEFAULT_KNEE`. */
  knee: kneeBoundSchema.exactOptional(),
});
export type LoadPlan = z.infer<typeof loadPlanSchema>;

/** `interrupted` is not stored: the process that was running the test has ended without saying so. */
const stateSchema = z.enum(['running', 'finished', 'stopped', 'failed']);
export type LoadTestState = z.infer<typeof stateSchema> | 'interrupted';

/** What a process of the server did during a run: columns, a value per reading, null where it could not be read. */
const vitalsSchema = z.object({
  name: z.string().max(100),
  /** Null: the series are of another source, which `name` names. */
  pid: z.number().int().positive().nullable(),
  /** Seconds after the start of the run, ascending. */
  at: z.array(amount).max(MAX_VITALS),
  series: z.array(z.object({ id: z.string().max(200), values: z.array(orNull).max(MAX_VITALS) })).max(40),
});
export type ServerVitals = z.infer<typeof vitalsSchema>;

/** A capture that was recorded during a run. */
const runCaptureSchema = z.object({ id: z.string().min(1).max(100), pid: z.number().int().positive() });

export const loadRunSchema = z.object({
  /** File of the tool's output in the folder; null if it was not kept. */
  file: z.string().max(200).nullable(),
  /** Unix epoch milliseconds; null for a file. */
  startedAt: amount.nullable(),
  result: loadResultSchema,
  /** By process; absent if none was watched. */
  vitals: z
    .array(vitalsSchema)
    .max(MAX_SERVER_PROCESSES + MAX_SOURCES)
    .exactOptional(),
  /** Absent if nothing was recorded. */
  captures: z.array(runCaptureSchema).max(MAX_SERVER_PROCESSES).exactOptional(),
  /** The run was made for its profile, after the sweep; it is not one of the sweep's repeats. */
  isExtra: z.literal(true).exactOptional(),
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
  /** The exact commands, without secrets: one per step, then the recording commands. Absent: unknown. */
  commands: z
    .array(z.array(z.string().max(10_000)).max(500))
    .max(1000)
    .exactOptional(),
  runs: z.array(loadRunSchema).max(MAX_LOAD_RUNS),
  /** Present: it has no runs, but times single requests. */
  probe: storedProbeSchema.exactOptional(),
});
export type StoredLoadTest = z.infer<typeof loadTestSchema>;
export type LoadTest = Omit<StoredLoadTest, 'state'> & { readonly state: LoadTestState };
