import { z } from 'zod';
import { GRADES } from '../model/quality-grade.ts';
import { pprofOptionsSchema } from './pprof.ts';
import { targetIdSchema } from './target-id.ts';

/** Shapes that cross the loopback connection. Both sides derive their types from here; the receiving side validates. */

/** Unix epoch milliseconds of a moment that a Date can hold. */
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

/** One preflight or doctor check: what was found, and what to do about it. `absent` is missed by nothing else; `unknown` is never assumed to be ok. */
export const checkSchema = z.object({
  id: z.string(),
  status: checkStatusSchema,
  found: z.string(),
  remedy: z.string().nullable(),
});
export type Check = z.infer<typeof checkSchema>;

export const processSchema = z.object({
  pid: z.number().int(),
  /** Kernel start time in clock ticks after boot; tells a reused PID from the process that was picked. */
  startTicks: z.string(),
  user: z.string(),
  /** Percent of one CPU over the sampling interval; null where only one sample exists. */
  cpuPercent: z.number().nullable(),
  rssBytes: z.number(),
  threads: z.number().int(),
  startedAt: timestampSchema,
  name: z.string(),
  command: z.string(),
  container: z.string().nullable(),
  executable: z.string().nullable(),
  /** Of the executable, hexadecimal; null where it has none or can't be read. Captures of older versions name none. */
  buildId: z.string().nullable().default(null),
  /** `go`, `node`, `jvm`, `python`, `nginx`… null where not known. */
  runtime: z.string().nullable(),
});
export type ProcessRow = z.infer<typeof processSchema>;

/** What on a target is recorded. */
const scopeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('pid'),
    pid: z.number().int().positive().max(2_147_483_647),
    startTicks: z
      .string()
      .regex(/^\d{1,20}$/)
      .nullable(),
  }),
  /** No argument holds a NUL, none is longer than MAX_ARG_STRLEN of Linux. */
  z.object({
    kind: z.literal('command'),
    argv: z
      .array(
        z
          .string()
          .max(131_071)
          .refine((argument) => !argument.includes('\0')),
      )
      .min(1)
      .max(1000),
  }),
  z.object({ kind: z.literal('system') }),
]);
export type Scope = z.infer<typeof scopeSchema>;

/** More than this perf refuses (`perf record --call-graph dwarf,SIZE`). */
export const MAX_STACK_BYTES = 65_528;

const perfOptionsSchema = z.object({
  /** Captures of older versions do not name it. */
  collector: z.literal('perf').default('perf'),
  scope: scopeSchema,
  /** Samples per second and CPU. */
  rateHz: z.number().int().min(1).max(50_000),
  /** null: the best event that works on the target. What else may be named: event-grammar.ts of the collector. */
  event: z.string().max(200).nullable(),
  /** `auto`: fp, and dwarf where the recording's first second shows that stacks are cut. */
  callGraph: z.enum(['fp', 'dwarf', 'lbr', 'auto']),
  /** null: until stopped (or until the launched command ends). */
  seconds: z.number().positive().max(86_400).nullable(),
  /** Bytes of each stack that perf copies with `dwarf`, a multiple of 8; absent: perf's default, 8,192. */
  stackBytes: z.number().int().min(1024).max(MAX_STACK_BYTES).multipleOf(8).exactOptional(),
  /** Over a link, perf's own stream is kept only where asked for; of this machine it always is. */
  keepPerfData: z.boolean().exactOptional(),
  /** By sudo, where the user of the target may not record it. */
  asRoot: z.boolean().exactOptional(),
});
export type PerfOptions = z.infer<typeof perfOptionsSchema>;

/** What a collector was asked for; see docs/recipes/add-a-collector.md. */
export const collectorOptionsSchema = z.discriminatedUnion('collector', [perfOptionsSchema, pprofOptionsSchema]);
export type CollectorOptions = z.infer<typeof collectorOptionsSchema>;
export type CollectorId = CollectorOptions['collector'];

/** Of a comparison. */
export const sideSchema = z.enum(['before', 'after']);
export type Side = z.infer<typeof sideSchema>;

const captureStateSchema = z.enum(['preparing', 'recording', 'stopping', 'finished', 'failed', 'cancelled']);

/** Limits of a process's control group and of those above it; null: none. */
const cgroupLimitsSchema = z.object({
  /** CPUs' worth of time, such as 1.5. */
  cpus: z.number().positive().nullable(),
  memoryBytes: z.number().positive().nullable(),
});
export type CgroupLimits = z.infer<typeof cgroupLimitsSchema>;

/** How the machine was set up and loaded while a capture was made. Null: could not be read. */
const circumstancesSchema = z.object({
  /** `AMD EPYC 7763 64-Core Processor` */
  cpuModel: z.string().max(300).nullable(),
  /** Frequency governors of all CPUs, each named once: `performance`, `performance, powersave`. */
  governor: z.string().max(300).nullable(),
  /** CPUs may run above their base frequency. */
  turbo: z.boolean().nullable(),
  /** Of the last minute, at the start and at the end of the capture. */
  loadAverage: z.object({ start: z.number().nonnegative().nullable(), end: z.number().nonnegative().nullable() }),
  /** Part of the CPUs' time during the capture that the hypervisor gave to others, 0 to 1. */
  steal: z.number().min(0).max(1).nullable(),
  /** Of the recorded process; of who started it, for a command. */
  cgroup: cgroupLimitsSchema.nullable(),
});
export type Circumstances = z.infer<typeof circumstancesSchema>;
const shareSchema = z.number().min(0).max(1);

/** See core/model/quality-grade.ts. */
const captureQualitySchema = z.object({
  grade: z.enum(GRADES),
  unresolved: shareSchema,
  unrooted: shareSchema,
  truncated: shareSchema,
  lost: shareSchema,
});

/** How a capture's perf.data became the text beside it. */
const readByPerfSchema = z.object({
  file: z.string(),
  /** The perf.data. */
  of: z.string(),
  /** Exactly what ran. */
  command: z.array(z.string()),
  toolVersion: z.string().nullable(),
  target: z.object({ kind: z.enum(['local', 'ssh']), host: z.string() }),
  at: timestampSchema,
  /** In the text, and in the perf.data where that can be told. */
  samples: z.number(),
  recordedSamples: z.number().nullable(),
});

/** `capture.json`, see docs/library.md. */
export const captureDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  state: captureStateSchema,
  /** True where recording ended without Flamebench's own stop: a crash, a kill, a lost link. The raw files are readable all the same. */
  incomplete: z.boolean(),
  createdAt: timestampSchema,
  format: z.string().nullable(),
  /** The file of the folder that is opened, and others kept beside it (perf's own stream). */
  primaryFile: z.string(),
  otherFiles: z.array(z.string()),
  sizeBytes: z.number(),
  origin: z.enum(['recorded', 'imported', 'sample']),
  collector: z
    .object({
      id: z.string(),
      toolVersion: z.string().nullable(),
      /** Exactly what ran, each an argv. */
      commands: z.array(z.array(z.string())),
      /** Exactly what was fetched, such as `GET http://…`; absent where nothing was. */
      requests: z.array(z.string()).exactOptional(),
      exitCode: z.number().nullable(),
      signal: z.string().nullable(),
    })
    .nullable(),
  target: z
    .object({
      kind: z.enum(['local', 'ssh']),
      host: z.string(),
      kernel: z.string().nullable(),
      arch: z.string().nullable(),
      cpuCount: z.number().nullable(),
    })
    .nullable(),
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
   * Set on the captures of one series: which, and which run of it (0-based). `side` where two sides of a comparison were recorded in turn;
   * runs are then counted over both.
   */
  series: z
    .object({ id: z.string(), run: z.number().int(), of: z.number().int(), side: sideSchema.exactOptional() })
    .nullable(),
  diagnostics: z.array(diagnosticSchema),
  /** Absent in imports and in captures of older versions. */
  circumstances: circumstancesSchema.exactOptional(),
  /** How far it can be trusted; absent until it has been read, and where it has no samples. */
  quality: captureQualitySchema.exactOptional(),
  /** What the collector was asked for, secrets redacted. Captures of older versions lack it. */
  options: collectorOptionsSchema.exactOptional(),
  /** Where the text that is opened was made by `perf script` after the recording, of one of the other files. */
  readByPerf: readByPerfSchema.exactOptional(),
});
export type CaptureDocument = z.infer<typeof captureDocumentSchema>;

/** A folder of the library whose `capture.json` is missing, broken, or of a newer version. */
export const damagedCaptureSchema = z.object({
  /** The folder's name. */
  id: z.string(),
  /** One line: what is wrong. */
  message: z.string(),
  /** One line: what to do. */
  remedy: z.string(),
});
export type DamagedCapture = z.infer<typeof damagedCaptureSchema>;

/** A moment or a stretch of a capture that the user gave a name. */
export const timeMarkSchema = z.object({
  /** Chosen by who made it, unique within the capture. */
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(200),
  /** Nanoseconds after the `timeOrigin` of the capture's profile, as samples' times. */
  start: z.number(),
  /** Half-open; null: a moment. */
  end: z.number().nullable(),
});
export type TimeMark = z.infer<typeof timeMarkSchema>;

/** More marks than anyone reads. */
export const MAX_MARKS = 1000;

/** `notes.json`. `marks` is absent where there are none, in no order. */
export const captureNotesSchema = z.object({
  schemaVersion: z.literal(1),
  text: z.string(),
  marks: z.array(timeMarkSchema).exactOptional(),
});
export type CaptureNotes = z.infer<typeof captureNotesSchema>;

/** What one host of a recording is at. */
const hostRecordingSchema = z.object({
  target: targetIdSchema,
  /** As `capture.json` names it. */
  host: z.string(),
  /** Of the run that is under way, or the last one; empty where none began. */
  captureId: z.string(),
  state: captureStateSchema,
  elapsedMs: z.number(),
  samples: z.number(),
  lost: z.number(),
  bytes: z.number(),
  /** Run number and count of the host's series. */
  run: z.number().int(),
  runs: z.number().int(),
  /** The side that is being recorded, where two are recorded in turn. */
  side: sideSchema.exactOptional(),
  /** Newest lines that the collector printed, control characters removed. */
  messages: z.array(z.string()),
  /** What its beginning shows that other options would make better, these, and what recording so is called. Absent: nothing. */
  finding: z.object({ message: z.string(), label: z.string(), options: collectorOptionsSchema }).exactOptional(),
  /** One line, where state is failed. */
  error: z.string().nullable(),
});
export type HostRecording = z.infer<typeof hostRecordingSchema>;

/**
 * What one recording says of itself, about twice a second and at each change of state. Of several hosts: sums, `recording` while any does,
 * `failed` only where all of them failed; `error` also says which of them did.
 */
export const recordingStatusSchema = z.object({
  recordingId: z.string(),
  ...hostRecordingSchema.omit({ target: true, host: true }).shape,
  /** The experiment that the captures were made for, or that was made of those of two sides or several hosts, once they ended. */
  experimentId: z.string().exactOptional(),
  /** At least one, in the order of the plan. What one fails at leaves the others alone. */
  hosts: z.array(hostRecordingSchema),
});
export type RecordingStatus = z.infer<typeof recordingStatusSchema>;
