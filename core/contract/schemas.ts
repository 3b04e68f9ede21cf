import * as z from 'zod';
import { qualityShape } from '../model/native/quality-shape.ts';
import { GRADES } from '../model/quality-grade.ts';
import { circumstancesSchema, collectorFactsSchema, containerFactsSchema, targetFactsSchema } from './capture-facts.ts';
import { bpftraceOptionsSchema, pidScopeSchema } from './bpftrace.ts';
import { ENV_WORD } from './limits.ts';
import { MAX_STACK_BYTES } from './limits.ts';
import { javaOptionsSchema } from './java.ts';
import { nodeOptionsSchema } from './node.ts';
import { pythonOptionsSchema } from './python.ts';
import { pprofOptionsSchema } from './pprof.ts';
import { stapOptionsSchema } from './stap.ts';
import { targetIdSchema } from './target-id-schema.ts';
import { SIDES } from './side.ts';

/** Shapes that cross the loopback connection. Both sides derive their types from here; the engine validates data. */

export { targetIdSchema };

/** Unix epoch milliseconds within the range of a Date. */
export const timestampSchema = z.number().min(0).max(8.64e15);

const diagnosticSchema = z.object({
  code: z.string(),
  severity: z.enum(['info', 'warning']),
  message: z.string(),
  count: z.number(),
  first: z.object({ line: z.number().exactOptional(), byte: z.number().exactOptional() }).nullable(),
  remedy: z.string().nullable(),
});

const checkStatusSchema = z.enum(['ok', 'absent', 'warning', 'failed', 'unknown']);

/**
 * One preflight or doctor check: the finding and its remedy. `absent`: missing, but nothing depends on it; `unknown` is
 * never treated as ok.
 */
export const checkSchema = z.object({
  id: z.string(),
  status: checkStatusSchema,
  found: z.string(),
  remedy: z.string().nullable(),
});
export type Check = z.infer<typeof checkSchema>;

export const processSchema = z.object({
  pid: z.number().int(),
  /** Kernel start time in clock ticks after boot; distinguishes a reused PID from the selected process. */
  startTicks: z.string(),
  user: z.string(),
  /** Percent of one CPU over the sampling interval; null if only one sample exists. */
  cpuPercent: z.number().nullable(),
  rssBytes: z.number(),
  threads: z.number().int(),
  startedAt: timestampSchema,
  name: z.string(),
  command: z.string(),
  /** `docker:0123456789ab`; null outside a container. */
  container: z.string().nullable(),
  executable: z.string().nullable(),
  /**
   * Build id of the executable, hexadecimal; null if it has none or can't be read. Captures of older versions lack it.
   */
  buildId: z.string().nullable().default(null),
  /** `go`, `node`, `jvm`, `python`, `nginx`… null if unknown. */
  runtime: z.string().nullable(),
  /** Its PID in its innermost PID namespace. Captures of older versions lack this and what follows. */
  innerPid: z.number().int().nullable().default(null),
  /** `/system.slice/nginx.service` */
  cgroup: z.string().nullable().default(null),
  /** systemd's unit: `nginx.service`. */
  unit: z.string().nullable().default(null),
  /** Names of the container and its image in its runtime; null if this user may not query it. */
  containerName: z.string().nullable().default(null),
  image: z.string().nullable().default(null),
  /** Kubernetes pod: `namespace/name`, or its UID if the runtime can't be queried. */
  pod: z.string().nullable().default(null),
});
export type ProcessRow = z.infer<typeof processSchema>;

/** Path of a control group in its hierarchy. perf separates paths with commas. */
export const cgroupPathSchema = z
  .string()
  .max(4096)
  .regex(/^\/[^,\p{Cc}]*$/u)
  .refine((path) => !path.split('/').includes('..'));

/** Contains no NUL and does not exceed Linux's MAX_ARG_STRLEN. */
const argumentSchema = z
  .string()
  .max(131_071)
  .refine((argument) => !argument.includes('\0'));

/** What is recorded on a target. */
const scopeSchema = z.discriminatedUnion('kind', [
  pidScopeSchema,
  z.object({
    kind: z.literal('command'),
    argv: z.array(argumentSchema).min(1).max(1000),
    /** Absolute path of its working folder. Absent: where Flamebench was started, on other hosts the home folder. */
    cwd: argumentSchema.max(4096).startsWith('/').exactOptional(),
    /** `NAME=VALUE`, added to the target's environment. */
    env: z.array(argumentSchema.regex(ENV_WORD)).max(1000).exactOptional(),
  }),
  z.object({ kind: z.literal('system') }),
  /** Every process of a control group and of those below it. */
  z.object({
    kind: z.literal('cgroup'),
    path: cgroupPathSchema,
    /** `container web`, `unit nginx.service`; null: described by the path. */
    name: z.string().max(300).nullable(),
  }),
]);
export type Scope = z.infer<typeof scopeSchema>;

const perfOptionsSchema = z.object({
  /** Captures of older versions lack it. */
  collector: z.literal('perf').default('perf'),
  scope: scopeSchema,
  /** Samples per second and CPU. */
  rateHz: z.number().int().min(1).max(50_000),
  /** null: the best event that works on the target. event-grammar.ts of the collector defines the other names. */
  event: z.string().max(200).nullable(),
  /** `auto`: fp, or dwarf if the first second of the recording shows truncated stacks. */
  callGraph: z.enum(['fp', 'dwarf', 'lbr', 'auto']),
  /** null: until stopped (or until the launched command ends). */
  seconds: z.number().positive().max(86_400).nullable(),
  /** Bytes of each stack that perf copies with `dwarf`, a multiple of 8; absent: perf's default, 8,192. */
  stackBytes: z.number().int().min(1024).max(MAX_STACK_BYTES).multipleOf(8).exactOptional(),
  /** Over a link, perf's own stream is kept only on request; on this machine it is always kept. */
  keepPerfData: z.boolean().exactOptional(),
  /** Uses sudo if the target's user may not record. */
  asRoot: z.boolean().exactOptional(),
  /** The text is watched live, so it must arrive within a second, whatever that costs. */
  watched: z.boolean().exactOptional(),
});
export type PerfOptions = z.infer<typeof perfOptionsSchema>;

/** A collector's options; see docs/recipes/add-a-collector.md. */
export const collectorOptionsSchema = z.discriminatedUnion('collector', [
  perfOptionsSchema,
  pprofOptionsSchema,
  bpftraceOptionsSchema,
  stapOptionsSchema,
  nodeOptionsSchema,
  javaOptionsSchema,
  pythonOptionsSchema,
]);
export type CollectorOptions = z.infer<typeof collectorOptionsSchema>;
export type CollectorId = CollectorOptions['collector'];

/** A side of a comparison. */
export const sideSchema = z.enum(SIDES);

const captureStateSchema = z.enum(['preparing', 'recording', 'stopping', 'finished', 'failed', 'cancelled']);

/** See core/model/quality-grade.ts. */
const captureQualitySchema = z.object({ grade: z.enum(GRADES), ...qualityShape() });

/** What is known of a Go program that was recorded. */
const goProcessSchema = z.object({
  /** `go1.26.8` */
  version: z.string().max(100),
  /** Import path of the main package; null if its executable does not state it. */
  path: z.string().max(1000).nullable(),
  /** GOMAXPROCS of its environment, else Go's default for it; the program can override both. Null if not readable. */
  maxProcs: z.number().int().positive().nullable(),
  /** The environment does not set it. */
  isMaxProcsDefault: z.literal(true).exactOptional(),
});
export type GoProcess = z.infer<typeof goProcessSchema>;

/** How a capture's perf.data was converted to the text stored next to it. */
const readByPerfSchema = z.object({
  file: z.string(),
  /** The perf.data file. */
  of: z.string(),
  /** The exact command that ran. */
  command: z.array(z.string()),
  toolVersion: z.string().nullable(),
  target: z.object({ kind: z.enum(['local', 'ssh']), host: z.string() }),
  at: timestampSchema,
  /** Number of samples in the text, and in the perf.data if it can be determined. */
  samples: z.number(),
  recordedSamples: z.number().nullable(),
});

/** The run of a load test during which a capture was recorded. */
const captureLoadSchema = z.object({
  /** ID of the load test, and its name then. */
  test: z.string().min(1).max(100),
  name: z.string().max(300),
  concurrency: z.number().int().positive(),
  /** Which of the step's runs, from 1. */
  run: z.number().int().positive(),
  /** Answers per second of that run. */
  qps: z.number().nonnegative().nullable(),
  /** Answers during the capture: QPS × the time for which the run and the capture overlap. */
  requests: z.number().positive().nullable(),
  /** The experiment of which the load test is a side; absent: it is of none. */
  experiment: z.object({ id: z.string().min(1).max(100), name: z.string().max(300), side: sideSchema }).exactOptional(),
});
export type CaptureLoad = z.infer<typeof captureLoadSchema>;

/** `capture.json`, see docs/library.md. */
export const captureDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  state: captureStateSchema,
  /**
   * True if recording ended without Flamebench stopping it: a crash, a kill, a lost link. The raw files are readable
   * regardless.
   */
  incomplete: z.boolean(),
  createdAt: timestampSchema,
  format: z.string().nullable(),
  /** The file of the folder that is opened, and others stored next to it (perf's own stream). */
  primaryFile: z.string(),
  otherFiles: z.array(z.string()),
  sizeBytes: z.number(),
  origin: z.enum(['recorded', 'imported', 'sample']),
  collector: z.nullable(collectorFactsSchema),
  target: z.nullable(targetFactsSchema),
  process: processSchema.nullable(),
  event: z.string().nullable(),
  rateHz: z.number().nullable(),
  startedAt: timestampSchema.nullable(),
  durationMs: z.number().nullable(),
  samples: z.number().nullable(),
  lostSamples: z.number().nullable(),
  /** utime + stime of the target process in seconds, at start and end. */
  cpuSeconds: z.object({ start: z.number(), end: z.number() }).nullable(),
  /**
   * Set on the captures of one series: its id, and the run's number in it (0-based). `side` is set if two sides of a
   * comparison were recorded alternately; runs are then counted over both.
   */
  series: z
    .object({ id: z.string(), run: z.number().int(), of: z.number().int(), side: sideSchema.exactOptional() })
    .nullable(),
  diagnostics: z.array(diagnosticSchema),
  /** Absent in imports and in captures of older versions. */
  circumstances: z.exactOptional(circumstancesSchema),
  /** Absent if the recorded program is not known to be Go. */
  goProcess: goProcessSchema.exactOptional(),
  /** Commit checked out in the folder where the program ran, in hex; absent if unknown. It may have had local changes. */
  commit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .exactOptional(),
  /** Absent if no container was recorded. */
  container: z.exactOptional(containerFactsSchema),
  /** Quality of the capture; absent until it has been read, and if it has no samples. */
  quality: captureQualitySchema.exactOptional(),
  /** The collector's options, secrets redacted. Captures of older versions lack it. */
  options: collectorOptionsSchema.exactOptional(),
  /** Present if it was recorded during a load test. */
  load: captureLoadSchema.exactOptional(),
  /** Number of requests served during the capture, as whoever sent them states it; absent if unknown. */
  requests: z.number().positive().exactOptional(),
  /** Present if the opened text was made by `perf script` after the recording, from one of the other files. */
  readByPerf: readByPerfSchema.exactOptional(),
});
export type CaptureDocument = z.infer<typeof captureDocumentSchema>;

/** A folder of the library whose `capture.json` is missing, broken, or of a newer version. */
export const damagedCaptureSchema = z.object({
  /** The folder's name. */
  id: z.string(),
  /** One line: what is wrong. */
  message: z.string(),
  /** One line: the remedy. */
  remedy: z.string(),
});
export type DamagedCapture = z.infer<typeof damagedCaptureSchema>;

/** State of one host of a recording. */
const hostRecordingSchema = z.object({
  target: targetIdSchema,
  /** As in `capture.json`. */
  host: z.string(),
  /** Id of the current or last run; empty if none has started. */
  captureId: z.string(),
  state: captureStateSchema,
  elapsedMs: z.number(),
  samples: z.number(),
  lost: z.number(),
  bytes: z.number(),
  /** Run number and count of the host's series. */
  run: z.number().int(),
  runs: z.number().int(),
  /** The side being recorded, if two sides are recorded alternately. */
  side: sideSchema.exactOptional(),
  /** Latest lines of the collector's output, control characters removed. */
  messages: z.array(z.string()),
  /**
   * A finding from the first samples that other options would improve, these options, and a label for recording with
   * them. Absent: none.
   */
  finding: z.object({ message: z.string(), label: z.string(), options: collectorOptionsSchema }).exactOptional(),
  /** Why there is no graph before the end; absent: `live.follow` shows one. */
  noGraphYet: z.string().exactOptional(),
  /** One line, if the state is failed. */
  error: z.string().nullable(),
});
export type HostRecording = z.infer<typeof hostRecordingSchema>;

/**
 * Status of a recording, sent about twice a second and at each change of state. For several hosts it has sums; it is
 * `recording` while any host is, and `failed` only if all of them failed; `error` also names the hosts that failed.
 */
export const recordingStatusSchema = z.object({
  recordingId: z.string(),
  ...hostRecordingSchema.omit({ target: true, host: true }).shape,
  /**
   * The experiment for which the captures were made, or the one made from them once both sides or all hosts had ended.
   */
  experimentId: z.string().exactOptional(),
  /** At least one, in the order of the plan. A failure on one does not affect the others. */
  hosts: z.array(hostRecordingSchema),
});
export type RecordingStatus = z.infer<typeof recordingStatusSchema>;
