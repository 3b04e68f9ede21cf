import * as z from 'zod';
import { MAX_LOAD_PAUSE_SECONDS } from '../limits.ts';
import { loadResultSchema, MAX_SERVER_PROCESSES, runSeriesSchema } from './result.ts';
import { loadSeriesSchema, MAX_SOURCES } from './series.ts';
import { loadProfileSchema } from './profile.ts';
import { storedProbeSchema } from './probe.ts';
import { targetIdSchema } from '../schemas.ts';

export { loadResultSchema, MAX_SERVER_PROCESSES, MAX_VITALS } from './result.ts';

const amount = z.number().nonnegative();

/** Maximum number of processes of one machine that a profile records. */
export const MAX_PROFILED_PROCESSES = 8;

/** Maximum number of runs of a load test. */
export const MAX_LOAD_RUNS = 1000;

/** Processes of one machine that are watched. */
export const watchedSchema = z.object({
  pids: z.array(z.number().int().positive().max(2_147_483_647)).min(1).max(MAX_SERVER_PROCESSES),
  /** What the processes are called, in the order of `pids`; null and absent: as their programs are. */
  names: z.array(z.string().min(1).max(100).nullable()).max(MAX_SERVER_PROCESSES).exactOptional(),
});
export type Watched = z.infer<typeof watchedSchema>;

const machineSchema = watchedSchema.extend({ target: targetIdSchema });

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

/** Maximum number of further machines that send a load. */
export const MAX_SENDERS = 7;

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
  tool: z.enum(['wrk', 'hey', 'locust']),
  url: z.string().min(1).max(4096),
  /** `Name: value`; secrets are not stored. */
  headers: z.array(z.string().min(1).max(4096)).max(100),
  /** wrk's Lua script, or Locust's file, by its absolute path: on the machine that it runs on. */
  script: z.string().min(1).max(4096).nullable(),
  concurrencies: z.array(z.number().int().min(1).max(1_000_000)).min(1).max(100),
  seconds: z.number().int().min(1).max(3600),
  repeats: z.number().int().min(1).max(100),
  /** Load before each run, at its concurrency, or in a staircase up to it; its result is not kept. */
  warmUp: z.number().int().min(0).max(MAX_LOAD_PAUSE_SECONDS),
  /** Pause between runs. */
  coolDown: z.number().int().min(0).max(MAX_LOAD_PAUSE_SECONDS),
  /** Most threads of wrk. Null: three per CPU of the machine that it runs on. */
  threads: z.number().int().min(1).max(10_000).nullable(),
  /** Each request opens a connection; absent: connections are kept. */
  shortConnections: z.literal(true).exactOptional(),
  /** The load rises gradually from step to step, without a pause. */
  staircase: z.literal(true).exactOptional(),
  /** Further machines that send the same load at the same moment, among which connections are divided; absent: none. */
  senders: z.array(targetIdSchema).min(1).max(MAX_SENDERS).exactOptional(),
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
    .array(runSeriesSchema)
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
  /**
   * The exact commands, without secrets: of an experiment's side the one that starts or switches its server, one per
   * step, then the recording commands. Absent: unknown.
   */
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
