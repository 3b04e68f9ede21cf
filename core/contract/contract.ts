import { MAX_TAG_LENGTH, MAX_TAGS, MAX_VIEW_WORD } from './limits.ts';
import * as z from 'zod';
import { experimentMethods } from './experiment.ts';
import { liveMethods, livePlanParams, liveStatusSchema } from './live.ts';
import { noteMethods } from './note-methods.ts';
import { trashMethods } from './trash-methods.ts';
import { reportMethods } from './report/methods.ts';
import { recentFileSchema, sessionSchema } from './session.ts';
import { settingsChangeSchema, settingsSchema } from './settings-schema.ts';
import {
  captureDocumentSchema,
  checkSchema,
  collectorOptionsSchema,
  damagedCaptureSchema,
  recordingStatusSchema,
  sideSchema,
  targetIdSchema,
} from './schemas.ts';
import {
  annotationPlanSchema,
  annotationSchema,
  linesAnswerSchema,
  commandsPlanSchema,
  goTraceAnswerSchema,
  perfScriptAnswerSchema,
  perfScriptPlanSchema,
  perfScriptProgressSchema,
  sourceTextSchema,
} from './source.ts';
import { targetMethods } from './target-methods.ts';
import { targetStateSchema } from './target.ts';

/** Enough for a set of servers compared host by host; each costs an ssh client and a channel or two. */
export const MAX_RECORDED_HOSTS = 64;

const functionOfCapture = {
  id: z.string(),
  /** Index of the function in the capture's profile, as opened without a forced format. */
  func: z.number().int().min(0),
};

/** A file outside the library that waits to be opened: readable once at `GET /file/<handle>`. */
const pendingFileSchema = z.object({
  handle: z.string(),
  fileName: z.string(),
  size: z.number().nullable(),
  /** Its id among the recent files, by which it can be reopened. */
  recentId: z.string(),
});
export type PendingFile = z.infer<typeof pendingFileSchema>;

const pendingInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), file: pendingFileSchema }),
  z.object({ kind: z.literal('capture'), id: z.string() }),
]);

/** Files and captures of the library that wait to be compared, at least one per side. */
const pendingComparisonSchema = z.object({
  before: z.array(pendingInputSchema),
  after: z.array(pendingInputSchema),
});
export type PendingComparison = z.infer<typeof pendingComparisonSchema>;

const recordPlanSchema = z.object({
  /** In the order of `targets`. */
  hosts: z.array(
    z.object({
      target: targetIdSchema,
      /** The exact commands that will run there, each an argv. Empty if a failed check makes recording impossible. */
      commands: z.array(z.array(z.string())),
      /** The exact requests that will be made, such as `GET http://…`. */
      requests: z.array(z.string()),
      /** The same for display: pipelines in one line, with the command by which they become root. */
      lines: z.array(z.string()),
      checks: z.array(checkSchema),
    }),
  ),
  /** Starts the hosts that can record. Null if none can. */
  confirmation: z.string().nullable(),
});

const viewWordSchema = z.string().max(MAX_VIEW_WORD).nullable();

/**
 * The engine's whole surface: `POST /rpc/<method>` with JSON `params`, answered by {@link RpcAnswer}. A method without
 * a handler does not compile. Methods take ids and one-time handles, never paths, except those of a fleet. Methods that start a process take a
 * confirmation token that `record.plan` bound to the argv it returned; the first connection to a host takes one from
 * `target.plan`. Methods are named `room.methodName`, events and their kinds `what-happened`.
 */
export const contract = {
  'app.state': {
    params: z.object({}),
    result: z.object({
      version: z.string(),
      /** Location of the library, for display. */
      libraryPath: z.string(),
      /** True if commands without `--library` use it. */
      isDefaultLibrary: z.boolean(),
      platform: z.string(),
      /** Files given on the command line or by the system; after a reload the same ones with new handles. */
      pendingFiles: z.array(pendingFileSchema),
      /** Captures to open at start (the bundled samples, `open` of a library id). */
      pendingCaptures: z.array(z.string()),
      pendingExperiments: z.array(z.string()),
      pendingComparisons: z.array(pendingComparisonSchema),
      /** The view in which pending files and captures open, as `viewToWord` wrote it. */
      pendingView: viewWordSchema,
      /** The process to watch. */
      pendingLive: livePlanParams.nullable(),
      /** True: the guided comparison of the bundled samples, unless the library has captures of its own. */
      pendingGuide: z.boolean(),
      recordings: z.array(recordingStatusSchema),
      /** Notices for the user, shown once: captures recovered after a crash, files that can't be opened. */
      notices: z.array(z.string()),
    }),
  },
  /** Returns a token for one more window under the engine's own name, as in a printed link; null without a name. */
  'app.newWindow': { params: z.object({}), result: z.object({ token: z.string().nullable() }) },
  'settings.read': { params: z.object({}), result: settingsSchema },
  /** Changes only the given fields; every window is notified by `settings-changed`. */
  'settings.write': { params: z.object({ change: settingsChangeSchema }), result: settingsSchema },
  /**
   * Returns what this window had open when it was last loaded (`windowId` as answered then), or, for a new
   * window, what one of the previous run had open. `again` distinguishes the two; `waiting` is the number of its windows
   * that are not open yet.
   */
  'session.take': {
    params: z.object({ windowId: z.string().max(200).nullable() }),
    result: z.object({
      windowId: z.string(),
      session: sessionSchema.nullable(),
      again: z.boolean(),
      waiting: z.number().int(),
    }),
  },
  /** Also confirms that the window has opened what `app.state` gave it to open. */
  'session.save': { params: z.object({ windowId: z.string().max(200), session: sessionSchema }), result: z.object({}) },
  /** Says that the page is being closed or reloaded. */
  'session.leave': { params: z.object({ windowId: z.string().max(200) }), result: z.object({}) },
  'recent.list': { params: z.object({}), result: z.object({ files: z.array(recentFileSchema) }) },
  /** Returns a handle for a file that was opened before. */
  'recent.open': { params: z.object({ id: z.string().max(100) }), result: pendingFileSchema },
  /** null: all of them. */
  'recent.forget': { params: z.object({ id: z.string().max(100).nullable() }), result: z.object({}) },
  'library.list': {
    /**
     * `query` matches name, tags, host, process and command, case-insensitively; an empty query lists all. Newest
     * first. Of a long list, `next` names the rest: the next call gives it as `after`, once.
     */
    params: z.object({ query: z.string().max(1000), after: z.string().max(100).exactOptional() }),
    result: z.object({
      captures: z.array(captureDocumentSchema),
      next: z.string().exactOptional(),
      /** Folders of the library that can't be read as captures, regardless of the query. Nothing in them is changed. */
      damaged: z.array(damagedCaptureSchema),
    }),
  },
  ...experimentMethods,
  'library.get': { params: z.object({ id: z.string() }), result: captureDocumentSchema },
  'library.rename': {
    params: z.object({ id: z.string(), name: z.string().min(1).max(300) }),
    result: captureDocumentSchema,
  },
  'library.tag': {
    params: z.object({ id: z.string(), tags: z.array(z.string().min(1).max(MAX_TAG_LENGTH)).max(MAX_TAGS) }),
    result: captureDocumentSchema,
  },
  'library.trash': { params: z.object({ id: z.string() }), result: z.object({}) },
  'library.restore': { params: z.object({ id: z.string() }), result: captureDocumentSchema },
  ...trashMethods,
  ...noteMethods,
  ...reportMethods,
  /** A method of core/contract/load/methods.ts, whose schemas the page loads with the dialog of load tests. */
  load: { params: z.object({ method: z.string(), params: z.unknown() }), result: z.unknown() },
  /** A method of core/contract/fleet/methods.ts, in the same way. */
  fleet: { params: z.object({ method: z.string(), params: z.unknown() }), result: z.unknown() },
  /**
   * Returns a one-time handle for `GET /file/<handle>`, which streams the capture's native cache, or its primary file
   * if there is no cache or it is older. `ignoreCache` selects the primary file: for a broken cache, or a forced
   * format.
   */
  'library.open': {
    params: z.object({ id: z.string(), ignoreCache: z.boolean().exactOptional() }),
    result: z.object({ handle: z.string(), fileName: z.string(), size: z.number().nullable(), cached: z.boolean() }),
  },
  /**
   * Allows the engine to read the source files that the capture names, or revokes this; not kept after the engine ends.
   * docs/adr/0007-source-text-by-consent.md.
   */
  'source.allow': { params: z.object({ id: z.string(), allowed: z.boolean() }), result: z.object({}) },
  /** Allows the source text of the function's project for captures recorded here; returns its folder. */
  'source.allowFolder': { params: z.object(functionOfCapture), result: z.object({ folder: z.string() }) },
  /**
   * Returns the source file of a function. Fails as `source-not-allowed` (imported captures) or
   * `source-folder-not-allowed` until the user has allowed it.
   */
  'source.text': { params: z.object(functionOfCapture), result: sourceTextSchema },
  /**
   * Returns the `perf annotate` command for a function and whether it can run. `lines` also resolves source lines,
   * which takes longer.
   */
  'annotate.plan': {
    params: z.object({ ...functionOfCapture, lines: z.boolean() }),
    result: annotationPlanSchema,
  },
  'annotate.run': { params: z.object({ confirmation: z.string() }), result: annotationSchema },
  /** Cancels a run in progress, or discards its plan. Idempotent. */
  'annotate.cancel': { params: z.object({ confirmation: z.string() }), result: z.object({}) },
  /**
   * Returns the commands that resolve source lines for a capture recorded on this machine. The capture is not changed.
   */
  'lines.plan': { params: z.object({ id: z.string() }), result: commandsPlanSchema },
  /**
   * Resolves the lines and stores the resulting text next to the recorded files; from then on the capture opens with
   * it. `inlined` turns functions that the compiler inlined into frames.
   */
  'lines.run': { params: z.object({ confirmation: z.string(), inlined: z.boolean() }), result: linesAnswerSchema },
  /** Cancels a run in progress, or discards its plan. Idempotent. */
  'lines.cancel': { params: z.object({ confirmation: z.string() }), result: z.object({}) },
  /**
   * Returns the command by which perf reads a capture's perf.data on a target. Connects the target if that needs no
   * confirmation; changes nothing else.
   */
  'perfScript.plan': { params: z.object({ id: z.string(), target: targetIdSchema }), result: perfScriptPlanSchema },
  /**
   * Has perf read it and stores its text next to the recorded files; from then on the capture opens with it. `run`,
   * chosen by the window, identifies the `perf-script-progress` events of this call.
   */
  'perfScript.run': {
    params: z.object({ confirmation: z.string(), run: z.string().min(1).max(64) }),
    result: perfScriptAnswerSchema,
  },
  /** Cancels a run in progress, or discards its plan. Idempotent. */
  'perfScript.cancel': { params: z.object({ confirmation: z.string() }), result: z.object({}) },
  /** Plans reading an execution trace of Go with `go tool trace` on the engine's machine. */
  'goTrace.plan': { params: z.object({ id: z.string() }), result: commandsPlanSchema },
  /** Stores the profile of the trace as the capture's primary file. */
  'goTrace.run': { params: z.object({ confirmation: z.string() }), result: goTraceAnswerSchema },
  'goTrace.cancel': { params: z.object({ confirmation: z.string() }), result: z.object({}) },
  ...targetMethods,
  'record.plan': {
    params: z.object({
      /** Recorded concurrently and independently. */
      targets: z
        .array(
          z.object({
            target: targetIdSchema,
            /**
             * Overrides the common `options` and `after`, because a PID identifies a different process on each host.
             */
            options: collectorOptionsSchema.exactOptional(),
            after: collectorOptionsSchema.exactOptional(),
          }),
        )
        .min(1)
        .max(MAX_RECORDED_HOSTS)
        .refine((targets) => new Set(targets.map(({ target }) => target)).size === targets.length),
      options: collectorOptionsSchema,
      /**
       * Recorded alternately with `options`, which is then the before side; both sides' captures become an experiment.
       */
      after: collectorOptionsSchema.exactOptional(),
      /** Adds the captures to a side of an experiment; with `after`, to both sides. */
      into: z.object({ experimentId: z.string().max(100), side: sideSchema }).exactOptional(),
      /** Number of captures on each side of each target. */
      repeat: z.number().int().min(1).max(100),
      pauseSeconds: z.number().min(0).max(3600),
      /** Number of targets that record at the same time; absent: all. */
      wave: z.number().int().min(1).exactOptional(),
      /** Share of a host's CPU time, 0 to 1, beyond which its recording ends and is kept, and no other begins. */
      maxOverhead: z.number().positive().max(1).exactOptional(),
      name: z.string().max(300).nullable(),
    }),
    result: recordPlanSchema,
  },
  /** Plans a restart of a recording with the options of its finding. Starting the plan discards the recording. */
  'record.planRestart': { params: z.object({ recordingId: z.string() }), result: recordPlanSchema },
  'record.start': { params: z.object({ confirmation: z.string() }), result: recordingStatusSchema },
  /** Keeps the recorded data. Idempotent. */
  'record.stop': { params: z.object({ recordingId: z.string() }), result: recordingStatusSchema },
  /** Discards the recorded data. Idempotent. */
  'record.cancel': { params: z.object({ recordingId: z.string() }), result: recordingStatusSchema },
  /** Plans watching a process; starting it keeps nothing until it is saved. */
  'live.plan': { params: livePlanParams, result: recordPlanSchema },
  ...liveMethods,
} as const;

type Contract = typeof contract;
export type Method = keyof Contract;
export type Params<M extends Method> = z.infer<Contract[M]['params']>;
export type Result<M extends Method> = z.infer<Contract[M]['result']>;

const rpcErrorSchema = z.object({
  /** Stable kebab-case id, e.g. `not-found`, `invalid-arguments`, `perf-missing`, `disk-full`. */
  code: z.string(),
  /** One line: what happened. */
  message: z.string(),
  /** One line: the remedy. */
  remedy: z.string().nullable(),
});
export type RpcError = z.infer<typeof rpcErrorSchema>;

/** Failures travel as data. */
export type RpcAnswer<M extends Method> = { ok: true; result: Result<M> } | { ok: false; error: RpcError };

/** Messages that the engine pushes over the WebSocket at `/events` (subprotocols: `flamebench`, the session token). */
export const eventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('recording'), status: recordingStatusSchema }),
  z.object({ kind: z.literal('live'), status: liveStatusSchema }),
  z.object({ kind: z.literal('library-changed') }),
  z.object({ kind: z.literal('settings-changed'), settings: settingsSchema }),
  z.object({ kind: z.literal('recent-changed') }),
  /** Targets were added, renamed or removed. */
  z.object({ kind: z.literal('targets-changed') }),
  z.object({ kind: z.literal('target-state'), target: targetIdSchema, state: targetStateSchema }),
  /** New output of a target's terminal: the host's own text, including escape sequences. */
  z.object({
    kind: z.literal('target-terminal'),
    target: targetIdSchema,
    text: z.string(),
    /** UTF-16 units shown since the engine started, including this text. */
    end: z.number().int(),
  }),
  /** A check of the `target.doctor` call with this `run`. */
  z.object({ kind: z.literal('target-check'), run: z.string(), check: checkSchema }),
  /** Progress of the `perfScript.run` call with this `run`; a few times a second. */
  z.object({ kind: z.literal('perf-script-progress'), run: z.string(), ...perfScriptProgressSchema.shape }),
  /**
   * The system or a second instance asked to open files or captures; `notices` lists the ones that could not be opened.
   * Sent to one window.
   */
  z.object({
    kind: z.literal('open-files'),
    files: z.array(pendingFileSchema),
    captures: z.array(z.string()),
    experiments: z.array(z.string()),
    comparisons: z.array(pendingComparisonSchema),
    view: viewWordSchema,
    live: livePlanParams.nullable(),
    notices: z.array(z.string()),
  }),
]);
export type EngineEvent = z.infer<typeof eventSchema>;

/**
 * Either the token of a link, under the engine's own host name, or the six digits shown in the terminal, under another.
 */
export const sessionRequestSchema = z.union([
  z.object({ fragmentToken: z.string().max(200) }),
  z.object({ code: z.string().max(20) }),
]);
