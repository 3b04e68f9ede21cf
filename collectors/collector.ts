import type { ZodType } from 'zod';
import type { Check, CollectorOptions, ProcessRow, Scope } from '#core/contract/schemas.ts';
import type { LiveSpan } from '#core/live/live-store.ts';
import type { Profile } from '#core/model/profile.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { OutputWatcher, ProgramStreams } from './target/launched-program.ts';
import type { ProcessExit, Target } from './target/target.ts';

/**
 * One row of collectors/registry.ts: a tool that makes captures on a target. `Options` are the tool's own validated
 * options, as data.
 */
export interface Collector<Options extends CollectorOptions> {
  readonly id: Options['collector'];
  readonly label: string;
  /** The files that it writes into a capture's folder. */
  readonly output: CollectorOutput;
  /** Returns the collector with what the engine lends to it. Absent: it needs nothing. */
  with?(services: CollectorServices): Collector<Options>;
  /** True: its data arrive at the end of the planned time, and one that is stopped before has none. */
  readonly sendsAtEnd?: true;
  /**
   * Returns, for doctor, whether it can record a process, which is not touched; empty if the process is not of its kind.
   * Absent: it is not asked.
   */
  checkProcess?(target: Target, process: ProcessRow): Promise<readonly Check[]>;
  /** Determines the target's capabilities; each fact is `unknown` until found. */
  preflight(target: Target, options: Options): Promise<Preflight<Options>>;
  /** Starts the planned recording. Without `streams`, a launched program's output goes to the messages. */
  start(
    target: Target,
    plan: Plan<Options>,
    sink: CaptureSink,
    clock: Clock,
    streams?: ProgramStreams | OutputWatcher,
  ): Recording;
  /** Returns the plan of the next run of a series, given the outcome of the last one. Absent: the same. */
  planNext?(plan: Plan<Options>, last: RecordingOutcome): Plan<Options>;
  /** Returns the scope whose circumstances belong to the capture; null if no process of the target is known. */
  scope(options: Options): Scope | null;
  /** Returns the target's port on which the program listens; null if unknown or on another host. Absent: null. */
  port?(options: Options): number | null;
  /** Returns the name of a capture. `process` is the one that {@link scope} names. */
  title(options: Options, process: ProcessRow | null): string;
  /** How it is watched live. */
  readonly live: LiveSource<Options>;
  /** Returns the options corrected by a {@link RecordingFinding} of the same collector. Absent: it finds nothing. */
  correct?(options: Options, found: Options): Options;
  /**
   * Completes the files of a recording that ended because Flamebench did. `target` is where it was made; null if it is
   * not reachable.
   */
  recover(target: Target | null, sink: CaptureSink): Promise<Recovery>;
}

export type AnyCollector = Collector<CollectorOptions>;

/** What the engine lends to its collectors. They also work without. */
export interface CollectorServices {
  /** Opens another target by its ID. */
  readonly openTarget?: ((targetId: string) => Promise<Target>) | undefined;
  readonly memory?: CollectorMemory | undefined;
}

/** Keeps what collectors learn, in small files of the user's, shared by all running engines. */
export interface CollectorMemory {
  /** Opens a table; rows that are not valid are left out. */
  table<Row>(of: MemoryFile<Row>): Promise<MemoryTable<Row>>;
}

export interface MemoryFile<Row> {
  readonly fileName: string;
  /** Name of the list of rows in the file. */
  readonly list: string;
  readonly row: ZodType<Row>;
  /** Rows beyond these are dropped. */
  readonly maxRows: number;
}

/** Rows, newest first. */
export interface MemoryTable<Row> {
  get(): readonly Row[];
  /** Never rejects: a change that can't be written lasts until this process ends. */
  edit(change: (rows: readonly Row[]) => readonly Row[]): Promise<void>;
}

interface CollectorOutput {
  /** The file to open. */
  readonly primaryFile: string;
  /** Files stored next to it, such as the tool's own stream. */
  readonly otherFiles: readonly string[];
  /** Importer id of the primary file; null if it is detected from the content. */
  readonly format: string | null;
}

export interface Preflight<Options extends CollectorOptions> {
  readonly checks: readonly Check[];
  /** Null if recording is impossible; the checks say why. */
  readonly plan: Plan<Options> | null;
  /** Plans of further captures of the same run, made one after the other, such as other kinds of profile. */
  readonly also?: readonly Plan<Options>[];
}

/** One step of a plan. A request is made from this machine, or through the connection to the host. */
export type PlanStep =
  | {
      readonly kind: 'command';
      readonly argv: readonly string[];
      /** The word that stands in later commands for the path that this one prints. Absent: none. */
      readonly prints?: string;
    }
  | {
      readonly kind: 'request';
      readonly method: 'GET' | 'POST';
      /** Without user and password. */
      readonly url: string;
      /** Names of the headers that are sent; their values are secrets, which only the options contain. */
      readonly headers: readonly string[];
    };

/** Stands for the PID of {@link Plan.launch}, as in a shell. */
export const LAUNCHED_PID = '$!';

/** Stands for a private folder on the target. */
export const TARGET_FOLDER = '/tmp/flamebench-…';

/** Puts the folder into a command of a plan. */
export const inFolder = (argv: readonly string[], folder: string): string[] =>
  argv.map((word) => word.replace(TARGET_FOLDER, () => folder));

export const commandStep = (argv: readonly string[]): PlanStep => ({ kind: 'command', argv });

/** Returns the plan's commands in order, each an argv. */
export const commandsOf = ({ steps, beside }: Pick<AnyPlan, 'steps' | 'beside'>): (readonly string[])[] => [
  ...steps.flatMap((step) => (step.kind === 'command' ? [step.argv] : [])),
  ...(beside === undefined ? [] : commandsOf(beside)),
];

/** Everything that will run, as data. */
export interface Plan<Options extends CollectorOptions> {
  readonly collector: Options['collector'];
  readonly options: Options;
  /** The exact commands and requests. */
  readonly steps: readonly PlanStep[];
  /**
   * The program that is recorded from its start: it is held back until the collector is ready. In the steps, {@link
   * LAUNCHED_PID} stands for its PID. With `env` if it has its own folder or environment, which the options have, too.
   * Absent: nothing is launched.
   */
  readonly launch?: readonly string[];
  /** True if the commands run as one pipeline on the target. Otherwise Flamebench passes data from one to the next. */
  readonly piped: boolean;
  /**
   * The argv by which the commands become root, as far as it is known in advance; see {@link describePlan}. Null: they
   * run as the target's user.
   */
  readonly sudo: readonly string[] | null;
  /** The files of {@link Collector.output} that this plan stores in addition to the primary file. */
  readonly otherFiles: readonly string[];
  readonly toolVersion: string | null;
  /** The event that will be used. */
  readonly event: string | null;
  /** Samples per second and CPU; null if the collector does not choose the rate. */
  readonly rateHz: number | null;
  /** Says where the commands run and what is done before them, if that is not obvious. Absent: nothing to say. */
  readonly remark?: string;
  /** What the user accepts by recording, one sentence. Absent: nothing beyond the steps. */
  readonly note?: string;
  /** What another collector records in the same seconds, for the same capture. Absent: nothing. */
  readonly beside?: AnyPlan;
  /** The plan that replaces this one if the first second shows truncated stacks. Absent: none. */
  readonly fallback?: Plan<Options>;
}

export type AnyPlan = Plan<CollectorOptions>;

/** Where a recording writes its bytes: files of the capture's folder. */
export interface CaptureSink {
  /** Appends in order. Rejects with one line for the user, and with a `remedy` if there is one (a full disk). */
  append(fileName: string, bytes: Uint8Array): Promise<void>;
  /** Returns the bytes appended so far; none if there is no such file. */
  read(fileName: string): AsyncIterable<Uint8Array>;
  /**
   * Replaces an appended file by a new one once `chunks` has ended; if it throws, the old file stays and the call
   * rejects.
   */
  replace(fileName: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface Clock {
  /** Unix epoch milliseconds. */
  now(): number;
  /** Milliseconds, monotonic. */
  monotonic(): number;
}

/** What {@link Collector.recover} found in the files. */
export interface Recovery {
  readonly quality: CaptureQuality | null;
  readonly samples: number;
  readonly lost: number;
  /** From the first to the last sample; null without samples. */
  readonly durationMs: number | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent: those of {@link Collector.output}. */
  readonly primaryFile?: string;
  readonly otherFiles?: readonly string[];
}

export interface RecordingProgress {
  readonly state: 'preparing' | 'recording' | 'stopping' | 'finished' | 'failed' | 'cancelled';
  readonly elapsedMs: number;
  readonly samples: number;
  readonly lost: number;
  readonly bytes: number;
  readonly messages: readonly string[];
  /** A finding from the first samples. Absent: none so far. */
  readonly finding?: RecordingFinding;
  /** About samples that the CPU time used so far should have given. Absent: none are missing. */
  readonly missed?: Diagnostic;
}

/** A problem of a recording that other options avoid. */
export interface RecordingFinding {
  /** One sentence. */
  readonly message: string;
  /** Label for recording with these options, verb first: `Restart with DWARF`. */
  readonly label: string;
  readonly options: CollectorOptions;
}

export interface Recording {
  /** Calls the listener immediately, at each change of state, and at least twice a second. */
  onProgress(listener: (progress: RecordingProgress) => void): void;
  /** Stops and keeps the data. Idempotent; resolves with the outcome. */
  stop(): Promise<void>;
  /** Stops without keeping the data, even while stopping. Idempotent; resolves with the outcome. */
  cancel(): Promise<void>;
  /** Resolves when everything has been written and the target is clean; never rejects. */
  readonly outcome: Promise<RecordingOutcome>;
}

export interface RecordingOutcome {
  readonly state: 'finished' | 'failed' | 'cancelled';
  /** The collector ended early; the data recorded until then is kept. */
  readonly incomplete: boolean;
  readonly primaryFile: string;
  readonly otherFiles: readonly string[];
  /** Exit of the launched program if it has ended, otherwise of the collector's command. */
  readonly exit: ProcessExit | null;
  readonly samples: number;
  /** Those that the tool lost, and those that it should have taken of the CPU time used. */
  readonly lost: number;
  /** Unix epoch milliseconds of the first data; null if none arrived. */
  readonly startedAt: number | null;
  /** Null if the profile is a snapshot, or covers the time since the program's start. */
  readonly durationMs: number | null;
  /** The recorded event, as far as known. */
  readonly event: string | null;
  readonly cpuSeconds: { readonly start: number; readonly end: number } | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Quality of the kept data; null without samples. */
  readonly quality: CaptureQuality | null;
  /** One line each; null unless the recording failed. */
  readonly error: { readonly code: string; readonly message: string; readonly remedy: string | null } | null;
  /** Samples per second that the profile states. Absent: the plan's. */
  readonly rateHz?: number;
}

/** What an outcome says of a recording of which nothing else is known. */
export const NO_OUTCOME: Omit<RecordingOutcome, 'state' | 'primaryFile'> = {
  incomplete: false,
  otherFiles: [],
  exit: null,
  samples: 0,
  lost: 0,
  startedAt: null,
  durationMs: null,
  event: null,
  cpuSeconds: null,
  diagnostics: [],
  quality: null,
  error: null,
};

/** Profiles of the newest samples, which a collector yields while it runs: the live form of one row of the registry. */
export interface LiveSource<Options extends CollectorOptions> {
  /** Returns the options for watching, without an end. */
  options(options: Options): Options;
  /** Returns the seconds after which watching ends; null: it does not end by itself. */
  seconds(options: Options): number | null;
  /** Returns why these options can't be watched; null if they can. */
  refuse(options: Options): Check | null;
  /** Returns the options with half the rate; null if it can't be lowered. */
  slower(options: Options): Options | null;
  /** True: each part of its raw output is a file of its own. False: the parts are one text. */
  readonly hasFileParts: boolean;
  /**
   * Returns the file that a recording of this plan appends to, which can be read as it grows; or why there is no graph
   * before the recording’s end, as in *no graph yet: …*.
   */
  growing(plan: Plan<Options>): { readonly fileName: string } | { readonly refusal: string };
  /** Starts the planned collection of `collector`, whose row this belongs to. */
  start(collector: Pick<Collector<Options>, 'start'>, running: LiveStart<Options>): LiveFeed;
}

export interface LiveStart<Options extends CollectorOptions> {
  readonly target: Target;
  readonly plan: Plan<Options>;
  readonly clock: Clock;
  /** Called when there is something to take. */
  readonly onPiece: () => void;
  /** Called with the raw output that the pieces are read from; never rejects. Absent: it is not kept. */
  readonly onRaw?: ((part: RawPart) => Promise<void>) | undefined;
}

/** Complete samples or rows of a collector's raw output. */
export interface RawPart {
  /** What the output of this run begins with; null if each part can be read alone. */
  readonly head: Uint8Array | null;
  readonly chunks: readonly Uint8Array[];
}

/** A running collection. */
export interface LiveFeed {
  /** Calls the listener immediately and at each change. `lost` counts since the start. */
  onProgress(listener: (progress: LiveProgress) => void): void;
  /** Returns what has arrived since the last call, in order. Rejects with an `ImportFailure` if it can't be read. */
  take(): Promise<readonly LivePiece[]>;
  /** Idempotent; resolves with the outcome. */
  stop(): Promise<void>;
  /** Resolves when nothing runs on the target any more and everything can be taken; never rejects. */
  readonly outcome: Promise<RecordingOutcome>;
}

export interface LiveProgress extends Pick<RecordingProgress, 'state' | 'lost' | 'finding' | 'missed'> {
  /** One sentence on why nothing is collected now, although it will be tried again. Absent: something is. */
  readonly problem?: string;
}

export interface LivePiece {
  /** Null: nothing was sampled in the piece's time. */
  readonly profile: Profile | null;
  /** What the profile sums, on the source's clock. Null: its samples have times of their own. */
  readonly span: LiveSpan | null;
  /** Milliseconds of this machine's monotonic clock at which the newest of it arrived. */
  readonly arrivedAt: number;
  /** One sentence on what had to be left out. Absent: nothing. */
  readonly problem?: string;
}
