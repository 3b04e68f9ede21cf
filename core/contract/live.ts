import { z } from 'zod';
import { captureDocumentSchema, collectorOptionsSchema, processSchema, targetIdSchema } from './schemas.ts';

/** What happened in a live session, shown with its time. */
export const liveEventSchema = z.object({
  /** Unix epoch milliseconds. */
  at: z.number(),
  kind: z.enum(['started', 'ended', 'restarted', 'lost', 'gap', 'saved', 'reset', 'note']),
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
  /** What watches it: the plan's options. */
  options: collectorOptionsSchema,
  /** A process with the same executable that started after this one had ended: a restarted service. Null if none has been found. */
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
   * Age of the oldest sample of the last update when it arrived here, in milliseconds, above the fastest arrival so far; null before the
   * second update. The clocks of target and engine are never compared.
   */
  latencyMs: z.number().nullable(),
  /** Rows held in memory, a bounded number. */
  rows: z.number().int(),
  /** Newest last. */
  events: z.array(liveEventSchema),
  /** One line, if it failed. */
  error: z.string().nullable(),
});
export type LiveStatus = z.infer<typeof liveStatusSchema>;

/** Lengths of the rolling window in seconds; null shows everything since the start or the last reset. */
export const LIVE_WINDOWS = [10, 60, 300, null] as const;
export type LiveWindow = (typeof LIVE_WINDOWS)[number];

const liveWindowSchema = z.union([z.literal(10), z.literal(60), z.literal(300), z.null()]);
const ofLive = { liveId: z.string().max(100) };

/** The part of the contract about live sessions, without their plan, which is a recording's. */
export const liveMethods = {
  /** Starts what `live.plan` showed. */
  'live.start': { params: z.object({ confirmation: z.string() }), result: liveStatusSchema },
  'live.status': { params: z.object(ofLive), result: liveStatusSchema },
  /**
   * Returns a one-time handle for `GET /file/<handle>`, which sends the samples of the window as a native profile. Waits for the first
   * samples; fails as `no-samples` if the session ends without any. A window with too few samples is widened.
   */
  'live.open': {
    params: z.object({ ...ofLive, window: liveWindowSchema }),
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
    }),
  },
  /** Forgets the samples so far. */
  'live.reset': { params: z.object(ofLive), result: liveStatusSchema },
  /** Keeps the last `seconds` (null: everything) as a capture. Fails as `no-samples` if there are none. */
  'live.save': {
    params: z.object({ ...ofLive, seconds: z.number().positive().max(86_400).nullable() }),
    result: captureDocumentSchema,
  },
  /** Ends the collection; what it has stays for a while. Idempotent. */
  'live.stop': { params: z.object(ofLive), result: liveStatusSchema },
} as const;

export const livePlanParams = z.object({ target: targetIdSchema, options: collectorOptionsSchema });
