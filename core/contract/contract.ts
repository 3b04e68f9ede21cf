import { z } from 'zod';
import { experimentMethods } from './experiment.ts';
import { recentFileSchema, sessionSchema } from './session.ts';
import { settingsChangeSchema, settingsSchema } from './settings.ts';
import {
  captureDocumentSchema,
  captureNotesSchema,
  checkSchema,
  collectorOptionsSchema,
  damagedCaptureSchema,
  MAX_MARKS,
  processSchema,
  recordingStatusSchema,
  sideSchema,
  timeMarkSchema,
} from './schemas.ts';
import {
  annotationPlanSchema,
  annotationSchema,
  linesAnswerSchema,
  linesPlanSchema,
  perfScriptAnswerSchema,
  perfScriptPlanSchema,
  perfScriptProgressSchema,
  sourceTextSchema,
} from './source.ts';
import { targetIdSchema, targetListSchema, targetNameSchema, targetStateSchema, terminalSizeSchema } from './target.ts';

/** As many as a set of servers that is compared host by host has; each costs an ssh client and a channel or two. */
const MAX_RECORDED_HOSTS = 64;

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
  /** Its id among the recent files, by which it can be opened again. */
  recentId: z.string(),
});
export type PendingFile = z.infer<typeof pendingFileSchema>;

const pendingInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), file: pendingFileSchema }),
  z.object({ kind: z.literal('capture'), id: z.string() }),
]);

/** Files and captures of the library that wait to be compared, at least one a side. */
const pendingComparisonSchema = z.object({
  before: z.array(pendingInputSchema),
  after: z.array(pendingInputSchema),
});
export type PendingComparison = z.infer<typeof pendingComparisonSchema>;

/**
 * The engine's whole surface: `POST /rpc/<method>` with JSON `params`, answered by {@link RpcAnswer}. A method without a handler does
 * not compile. Methods take ids and one-time handles, never paths. What starts a process takes a confirmation token that
 * `record.plan` bound to the argv it returned, and the first connection to a host one of `target.plan`.
 */
const recordPlanSchema = z.object({
  /** In the order of `targets`. */
  hosts: z.array(
    z.object({
      target: targetIdSchema,
      /** Exactly what will run there, each an argv. Empty where a check failed that makes recording impossible. */
      commands: z.array(z.array(z.string())),
      /** Exactly what will be fetched, such as `GET http://…`. */
      requests: z.array(z.string()),
      /** The same for display: what is a pipeline there in one line, and by what it becomes root. */
      lines: z.array(z.string()),
      checks: z.array(checkSchema),
    }),
  ),
  /** Starts the hosts that can record. Null where none can. */
  confirmation: z.string().nullable(),
});

export const contract = {
  'app.state': {
    params: z.object({}),
    result: z.object({
      version: z.string(),
      /** Where the library is, for display. */
      libraryPath: z.string(),
      platform: z.string(),
      /** Files given on the command line or by the system; the same ones, with new handles, after a reload. */
      pendingFiles: z.array(pendingFileSchema),
      /** Captures to open at start (the bundled samples, `open` of a library id). */
      pendingCaptures: z.array(z.string()),
      pendingExperiments: z.array(z.string()),
      pendingComparisons: z.array(pendingComparisonSchema),
      recordings: z.array(recordingStatusSchema),
      /** Things the user should know once: captures recovered after a crash, files that can't be opened. */
      notices: z.array(z.string()),
    }),
  },
  'settings.read': { params: z.object({}), result: settingsSchema },
  /** Changes the fields named and no others; every window hears of it by `settings-changed`. */
  'settings.write': { params: z.object({ change: settingsChangeSchema }), result: settingsSchema },
  /**
   * What this window had open when it was last loaded (`windowId` as answered then), or, for the first window of a run, what the run
   * before left. `again` tells the two apart.
   */
  'session.take': {
    params: z.object({ windowId: z.string().max(200).nullable() }),
    result: z.object({ windowId: z.string(), session: sessionSchema.nullable(), again: z.boolean() }),
  },
  /** Also says that the window has opened what `app.state` gave it to open. */
  'session.save': { params: z.object({ windowId: z.string().max(200), session: sessionSchema }), result: z.object({}) },
  'recent.list': { params: z.object({}), result: z.object({ files: z.array(recentFileSchema) }) },
  /** A handle for a file that was opened before. */
  'recent.open': { params: z.object({ id: z.string().max(100) }), result: pendingFileSchema },
  /** null: all of them. */
  'recent.forget': { params: z.object({ id: z.string().max(100).nullable() }), result: z.object({}) },
  'library.list': {
    /** `query` matches name, tags, host, process and command, case-insensitively; empty lists all. Newest first. */
    params: z.object({ query: z.string().max(1000) }),
    result: z.object({
      captures: z.array(captureDocumentSchema),
      /** Folders of the library that can't be read as captures; whatever the query. Nothing in them is changed. */
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
    params: z.object({ id: z.string(), tags: z.array(z.string().min(1).max(100)).max(50) }),
    result: captureDocumentSchema,
  },
  'library.trash': { params: z.object({ id: z.string() }), result: z.object({}) },
  'library.restore': { params: z.object({ id: z.string() }), result: captureDocumentSchema },
  /** What the user wrote on a capture, `notes.json`: free text, and named times. */
  'library.notes': { params: z.object({ id: z.string() }), result: captureNotesSchema },
  'library.annotate': {
    params: z.object({ id: z.string(), text: z.string().max(1_000_000) }),
    result: captureNotesSchema,
  },
  /** Adds or replaces the marks of `put` by their ids, takes those of `remove` away; others, and the text, stay as they are. */
  'library.mark': {
    params: z.object({
      id: z.string(),
      put: z.array(timeMarkSchema.refine(({ start, end }) => end === null || end > start)).max(MAX_MARKS),
      remove: z.array(z.string()).max(MAX_MARKS),
    }),
    result: captureNotesSchema,
  },
  /**
   * A one-time handle for `GET /file/<handle>` that streams the capture's native cache, or its primary file where there is none or the
   * cache is older than it. `ignoreCache` asks for the primary file: for a cache that turned out to be broken, or a forced format.
   */
  'library.open': {
    params: z.object({ id: z.string(), ignoreCache: z.boolean().exactOptional() }),
    result: z.object({ handle: z.string(), fileName: z.string(), size: z.number().nullable(), cached: z.boolean() }),
  },
  /**
   * Lets the engine read source files that the capture names, or takes that back; not kept beyond the engine's end.
   * docs/adr/0007-source-text-by-consent.md.
   */
  'source.allow': { params: z.object({ id: z.string(), allowed: z.boolean() }), result: z.object({}) },
  /** The source file of a function. Fails as `source-not-allowed` until the user has allowed it. */
  'source.text': { params: z.object(functionOfCapture), result: sourceTextSchema },
  /** What `perf annotate` would run for a function, and whether it can. `lines`: look up source lines, too, which takes longer. */
  'annotate.plan': {
    params: z.object({ ...functionOfCapture, lines: z.boolean() }),
    result: annotationPlanSchema,
  },
  'annotate.run': { params: z.object({ confirmation: z.string() }), result: annotationSchema },
  /** Ends a run that is under way, or forgets its plan. Idempotent. */
  'annotate.cancel': { params: z.object({ confirmation: z.string() }), result: z.object({}) },
  /** What would look up source lines for a capture that was recorded on this machine. Nothing of it changes. */
  'lines.plan': { params: z.object({ id: z.string() }), result: linesPlanSchema },
  /**
   * Looks the lines up and keeps the capture's text with them beside what was recorded; it is what is opened from then on. `inlined`:
   * functions that the compiler inlined become frames.
   */
  'lines.run': { params: z.object({ confirmation: z.string(), inlined: z.boolean() }), result: linesAnswerSchema },
  /** Ends a run that is under way, or forgets its plan. Idempotent. */
  'lines.cancel': { params: z.object({ confirmation: z.string() }), result: z.object({}) },
  /** What would have perf read a capture's perf.data on a target. Connects it where that needs no confirmation; nothing else changes. */
  'perfScript.plan': { params: z.object({ id: z.string(), target: targetIdSchema }), result: perfScriptPlanSchema },
  /**
   * Has perf read it and keeps its text beside what was recorded; it is what is opened from then on. `run`, chosen by the window, names
   * the `perf-script-progress` events that come meanwhile.
   */
  'perfScript.run': {
    params: z.object({ confirmation: z.string(), run: z.string().min(1).max(64) }),
    result: perfScriptAnswerSchema,
  },
  /** Ends a run that is under way, or forgets its plan. Idempotent. */
  'perfScript.cancel': { params: z.object({ confirmation: z.string() }), result: z.object({}) },
  /** Targets with their states, and hosts of ~/.ssh/config that are none yet. */
  'target.list': { params: z.object({}), result: targetListSchema },
  /** Keeps a target under a name, or gives it another one. Connects nothing. */
  'target.save': {
    params: z.object({ target: targetIdSchema, name: targetNameSchema }),
    result: targetListSchema,
  },
  /** Forgets a target and closes its connection. Idempotent. */
  'target.remove': { params: z.object({ target: targetIdSchema }), result: targetListSchema },
  /** Exactly what `target.connect` would run. */
  'target.plan': {
    params: z.object({ target: targetIdSchema }),
    result: z.object({
      command: z.array(z.string()),
      /** Null: this user has connected to it before, and nothing needs to be confirmed. */
      confirmation: z.string().nullable(),
    }),
  },
  /**
   * Resolves when it is up, which may wait for answers of the user. Fails as `not-confirmed` for a new target without a token of
   * `target.plan`, and as `not-connected` where ssh fails. Idempotent.
   */
  'target.connect': {
    params: z.object({ target: targetIdSchema, confirmation: z.string().nullable() }),
    result: targetStateSchema,
  },
  /** Ends the connection with what runs over it. Idempotent. */
  'target.disconnect': { params: z.object({ target: targetIdSchema }), result: targetStateSchema },
  /** What the terminal has shown, the oldest left out where it is long, for a window that comes later. */
  'target.terminal': {
    params: z.object({ target: targetIdSchema }),
    result: z.object({
      text: z.string(),
      /** UTF-16 units shown since the engine started; `target-terminal` events up to here are in `text`. */
      end: z.number().int(),
    }),
  },
  /** Types into the prompt that waits. Never kept or logged. `accepted` is false where no prompt waits: nothing was typed then. */
  'target.answer': {
    params: z.object({ target: targetIdSchema, text: z.string().max(4096) }),
    result: z.object({ accepted: z.boolean() }),
  },
  'target.resize': {
    params: z.object({ target: targetIdSchema, ...terminalSizeSchema.shape }),
    result: z.object({}),
  },
  /** Connects where that needs no confirmation; so do `target.doctor` and `record.plan`. Fails as `not-confirmed` otherwise. */
  'target.processes': {
    params: z.object({ target: targetIdSchema }),
    result: z.object({ processes: z.array(processSchema) }),
  },
  'target.doctor': {
    params: z.object({
      target: targetIdSchema,
      pid: z.number().int().positive().nullable(),
      /** Chosen by the window: checks come as `target-check` events of it once they are known, and all at the end. */
      run: z.string().min(1).max(64),
    }),
    result: z.object({ target: targetIdSchema, checks: z.array(checkSchema) }),
  },
  'record.plan': {
    params: z.object({
      /** Recorded at the same time, each for itself. */
      targets: z
        .array(
          z.object({
            target: targetIdSchema,
            /** In place of the common `options` and `after`: a PID is another process on each host. */
            options: collectorOptionsSchema.exactOptional(),
            after: collectorOptionsSchema.exactOptional(),
          }),
        )
        .min(1)
        .max(MAX_RECORDED_HOSTS)
        .refine((targets) => new Set(targets.map(({ target }) => target)).size === targets.length),
      options: collectorOptionsSchema,
      /** Recorded in turn with `options`, which is the before side then; both sides' captures become an experiment. */
      after: collectorOptionsSchema.exactOptional(),
      /** The captures become those of a side of an experiment; with `after`, of both sides. */
      into: z.object({ experimentId: z.string().max(100), side: sideSchema }).exactOptional(),
      /** Captures to make, on either side of each target. */
      repeat: z.number().int().min(1).max(100),
      pauseSeconds: z.number().min(0).max(3600),
      name: z.string().max(300).nullable(),
    }),
    result: recordPlanSchema,
  },
  /** Plans a recording that runs again with the options of its finding. Starting that discards it. */
  'record.planRestart': { params: z.object({ recordingId: z.string() }), result: recordPlanSchema },
  'record.start': { params: z.object({ confirmation: z.string() }), result: recordingStatusSchema },
  /** Keeps what was recorded. Idempotent. */
  'record.stop': { params: z.object({ recordingId: z.string() }), result: recordingStatusSchema },
  /** Discards what was recorded. Idempotent. */
  'record.cancel': { params: z.object({ recordingId: z.string() }), result: recordingStatusSchema },
} as const;

export type Contract = typeof contract;
export type Method = keyof Contract;
export type Params<M extends Method> = z.infer<Contract[M]['params']>;
export type Result<M extends Method> = z.infer<Contract[M]['result']>;

export const rpcErrorSchema = z.object({
  /** Stable kebab-case id, e.g. `not-found`, `invalid-arguments`, `perf-missing`, `disk-full`. */
  code: z.string(),
  /** One line: what happened. */
  message: z.string(),
  /** One line: what to do. */
  remedy: z.string().nullable(),
});
export type RpcError = z.infer<typeof rpcErrorSchema>;

/** Failures travel as data. */
export type RpcAnswer<M extends Method> = { ok: true; result: Result<M> } | { ok: false; error: RpcError };

/** What the engine pushes over the WebSocket at `/events` (subprotocols: `flamebench`, the session token). */
export const eventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('recording'), status: recordingStatusSchema }),
  z.object({ kind: z.literal('library-changed') }),
  z.object({ kind: z.literal('settings-changed'), settings: settingsSchema }),
  z.object({ kind: z.literal('recent-changed') }),
  /** Targets were added, renamed or removed. */
  z.object({ kind: z.literal('targets-changed') }),
  z.object({ kind: z.literal('target-state'), target: targetIdSchema, state: targetStateSchema }),
  /** What a target's terminal shows next: a host's own text, escape sequences included. */
  z.object({
    kind: z.literal('target-terminal'),
    target: targetIdSchema,
    text: z.string(),
    /** UTF-16 units shown since the engine started, this text included. */
    end: z.number().int(),
  }),
  /** A check of the `target.doctor` call that chose this `run`. */
  z.object({ kind: z.literal('target-check'), run: z.string(), check: checkSchema }),
  /** How far the `perfScript.run` call is that chose this `run`; a few times a second. */
  z.object({ kind: z.literal('perf-script-progress'), run: z.string(), ...perfScriptProgressSchema.shape }),
  /** The system or a second instance asked to open files or captures; `notices` says what of it could not be opened. Sent to one window. */
  z.object({
    kind: z.literal('open-files'),
    files: z.array(pendingFileSchema),
    captures: z.array(z.string()),
    experiments: z.array(z.string()),
    comparisons: z.array(pendingComparisonSchema),
    notices: z.array(z.string()),
  }),
]);
export type EngineEvent = z.infer<typeof eventSchema>;

/**
 * HTTP paths beside `/rpc/<method>`. All but static assets and `/session` want the header {@link TOKEN_HEADER}. Every answer but a static
 * asset, a file's bytes and a session is an {@link RpcAnswer} as JSON, whatever the HTTP status: read the body, not the status.
 */
export const PATHS = {
  rpc: '/rpc/',
  /**
   * GET: streams what a one-time handle stands for, with Content-Length where the size is known. With `Range: bytes=first-last` a stretch of
   * it, as often as asked until the handle is too old.
   */
  file: '/file/',
  /** POST, body = the file, `?name=`: adds a dropped file to the library; answers RpcAnswer of a capture document. */
  upload: '/upload',
  /**
   * GET `<id>`: an experiment and its captures as one file. POST, body = such a file: adds them to the library; answers RpcAnswer of
   * `importedExperimentSchema`.
   */
  experiment: '/experiment/',
  /** PUT, body = native file: keeps the parsed form of capture `<id>` for the next open; answers RpcAnswer of `{ kept: boolean }`, false for a bundled sample and a read-only library. */
  cache: '/cache/',
  /** POST {@link sessionRequestSchema} → {@link sessionResultSchema}, or an RpcAnswer's error. Token and code work once, within 60 s. */
  session: '/session',
  events: '/events',
} as const;
export const TOKEN_HEADER = 'x-flamebench-token';
/** First of the two subprotocols that the WebSocket at `/events` asks for; the session token is the second. */
export const EVENTS_PROTOCOL = 'flamebench';
/** The workbench's URL is `<origin>/#token=<fragment token>`. */
export const FRAGMENT_KEY = 'token';
/** The host name of the workbench's URL, which each engine draws anew. Pages under another name have no token: they ask for a code. */
export const OWN_HOST_NAME = /^[a-z]{16}\.localhost$/;

/** Either the token of a link, under the engine's own name, or the six digits that the terminal shows, under another. */
export const sessionRequestSchema = z.union([
  z.object({ fragmentToken: z.string().max(200) }),
  z.object({ code: z.string().max(20) }),
]);
export const sessionResultSchema = z.object({ sessionToken: z.string() });
