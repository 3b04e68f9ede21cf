import * as z from 'zod';
import { captureDocumentSchema, collectorOptionsSchema, processSchema, targetIdSchema } from './schemas.ts';

/** Limits of a ring of raw output. A smaller one may not hold a window of pprof. */
export const MIN_RAW_BYTES = 1e6;
export const MAX_RAW_BYTES = 1e12;

/** What happened in a live session, shown with its time. */
const liveEventSchema = z.object({
  /** Unix epoch milliseconds. */
  at: z.number(),
  kind: z.enum(['started', 'ended', 'restarted', 'lost', 'gap', 'rate', 'clock', 'saved', 'reset', 'note']),
  /** One sentence. */
  text: z.string(),
});
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** Status of a live session, sent with each update: about once a second. */
export const liveStatusSchema = z.object({
  liveId: z.string(),
  target: targetIdSchema,
  host: z.string(),
  /** What is watched: `nginx (4711)`. */
  title: z.string(),
  pid: z.number().int().nullable(),
  /** Options of the plan. */
  options: collectorOptionsSchema,
  /** The recording that it shows; absent: it collects by itself. */
  recordingId: z.string().exactOptional(),
  /** The process that has replaced this one, as in a restarted service; null if none is known. */
  successor: processSchema.nullable(),
  state: z.enum(['preparing', 'running', 'stopping', 'ended', 'failed']),
  /** Counts the updates with new samples; a window asks for a snapshot when it has grown. */
  update: z.number().int(),
  elapsedMs: z.number(),
  /** Since the start or the last reset. */
  samples: z.number(),
  /** Over the last few seconds. */
  samplesPerSecond: z.number(),
  lost: z.number(),
  /** Samples per second and CPU as planned; null if the collector does not choose. */
  rateHz: z.number().nullable(),
  /** CPUs that the collector's own processes took on the target over the last few seconds; null if unknown. */
  collectorCpu: z.number().nullable(),
  /**
   * Age of the oldest sample of the last update when it arrived here, in milliseconds, above the fastest arrival so
   * far; null before the second update. The clocks of target and engine are never compared.
   */
  latencyMs: z.number().nullable(),
  /** The newest times in which nothing was collected, in nanoseconds after the time origin; short ones are left out. */
  gaps: z
    .array(
      z.object({
        start: z.number(),
        end: z.number(),
        /** The source's clock stood still for these seconds, as in sleep: the gap has no length. */
        stillSeconds: z.number().exactOptional(),
      }),
    )
    .readonly(),
  /** Sum of all such times since the start or the last reset, short ones included. */
  gapSeconds: z.number(),
  /** Rows held in memory, a bounded number. */
  rows: z.number().int(),
  /** Size of the kept raw output, and of the ring that it is kept in (null: all is kept); null if it is not kept. */
  raw: z.object({ bytes: z.number(), maxBytes: z.number().nullable() }).nullable(),
  /** What the window is compared with; null: nothing is pinned. */
  baseline: z
    .object({
      /** A new id for each pin. */
      id: z.number().int(),
      name: z.string(),
      /** Its length; null if unknown. */
      seconds: z.number().nullable(),
      rateHz: z.number().nullable(),
      /** False: it is too short, or has no times, so that numbers are shown and nothing is coloured. */
      isJudged: z.boolean(),
    })
    .nullable(),
  /** Newest last. */
  events: z.array(liveEventSchema),
  /** One line, if it failed. */
  error: z.string().nullable(),
});
export type LiveStatus = z.infer<typeof liveStatusSchema>;

/** Lengths of the rolling window in seconds; null shows everything since the start or the last reset. */
export const LIVE_WINDOWS = [10, 60, 300, null] as const;
export type LiveWindow = (typeof LIVE_WINDOWS)[number];

const functionChangesSchema = z.array(
  z.object({
    func: z.number().int(),
    of: z.enum(['self', 'total']),
    state: z.enum(['grew', 'shrank', 'same', 'open']),
    /** Samples that are missing for a verdict; null if it is known, or the baseline is too short for one. */
    missing: z.number().int().nullable(),
  }),
);
/** What is known of each judged function since the pin, by normalisation; functions are those of the snapshot. */
const liveChangesSchema = z.object({
  /** See `LiveStatus.baseline`. */
  baselineId: z.number().int(),
  /**
   * Size of the last ten seconds as a multiple of the baseline's, to which changes per second are relative; null: it is
   * not known yet, or changes are not decided.
   */
  size: z.number().positive().nullable(),
  /** Null: load and machine can't be told apart from the code by so few functions, so that nothing is decided. */
  'per-second': functionChangesSchema.nullable(),
  share: functionChangesSchema,
});
export type LiveChanges = z.infer<typeof liveChangesSchema>;

const liveWindowSchema = z.union([z.literal(10), z.literal(60), z.literal(300), z.null()]);
const ofLive = { liveId: z.string().max(100) };
/** Where a window ends, in nanoseconds after the profile's time origin: what a paused window shows. Null: the present. */
const untilSchema = z.number().nullable();

/** The part of the contract about live sessions, without their plan, which is a recording's. */
export const liveMethods = {
  /** Starts what `live.plan` showed. */
  'live.start': { params: z.object({ confirmation: z.string() }), result: liveStatusSchema },
  /** Shows what a recording has sampled so far, and what it samples. It goes on when the session is stopped. */
  'live.follow': { params: z.object({ recordingId: z.string().max(100) }), result: liveStatusSchema },
  'live.status': { params: z.object(ofLive), result: liveStatusSchema },
  /**
   * Returns a one-time handle for `GET /file/<handle>`, which sends the samples of the window as a native profile.
   * Waits for the first samples; fails as `no-samples` if the session ends without any. A window with too few samples
   * is widened.
   */
  'live.open': {
    params: z.object({ ...ofLive, window: liveWindowSchema, until: untilSchema }),
    result: z.object({
      handle: z.string(),
      fileName: z.string(),
      size: z.number(),
      /** See `LiveStatus.update`. */
      update: z.number().int(),
      seconds: liveWindowSchema,
      isWidened: z.boolean(),
      samples: z.number(),
      /** Length of what is shown, in seconds. */
      coveredSeconds: z.number(),
      /** Time of the newest sample, in nanoseconds after the profile's time origin; null without samples. */
      newest: z.number().nullable(),
      /** Null if nothing is pinned. */
      changes: liveChangesSchema.nullable(),
    }),
  },
  /** Pins the window, or a capture of the library, as the baseline. Fails as `no-samples` if there are none. */
  'live.pin': {
    params: z.object({
      ...ofLive,
      from: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('window'), window: liveWindowSchema, until: untilSchema }),
        z.object({ kind: z.literal('capture'), captureId: z.string().max(100) }),
      ]),
    }),
    result: liveStatusSchema,
  },
  /** Forgets the baseline. Idempotent. */
  'live.unpin': { params: z.object(ofLive), result: liveStatusSchema },
  /** Returns a one-time handle of the baseline's samples as a native profile, in the functions of the snapshots. */
  'live.baseline': {
    params: z.object(ofLive),
    result: z.object({ handle: z.string(), fileName: z.string(), size: z.number(), baselineId: z.number().int() }),
  },
  /** Forgets the samples so far. */
  'live.reset': { params: z.object(ofLive), result: liveStatusSchema },
  /** Keeps the last `seconds` (null: everything) as a capture. Fails as `no-samples` if there are none. */
  'live.save': {
    params: z.object({ ...ofLive, seconds: z.number().positive().max(86_400).nullable(), until: untilSchema }),
    result: captureDocumentSchema,
  },
  /** Ends the collection; its samples are kept for a while. Idempotent. */
  'live.stop': { params: z.object(ofLive), result: liveStatusSchema },
} as const;

/** Bounds of what a live session costs. */
const liveLimitsSchema = z.object({
  /** CPUs that the collector may take on the target before its rate is halved; null: any. */
  maxCpus: z.number().positive().max(1000).nullable(),
  /** Keeps the collector's raw output: the newest bytes, or all (null). Absent: it is not kept. */
  raw: z.object({ maxBytes: z.number().int().min(MIN_RAW_BYTES).max(MAX_RAW_BYTES).nullable() }).exactOptional(),
});
export type LiveLimits = z.infer<typeof liveLimitsSchema>;

export const livePlanParams = z.object({
  target: targetIdSchema,
  options: collectorOptionsSchema,
  limits: liveLimitsSchema,
});
