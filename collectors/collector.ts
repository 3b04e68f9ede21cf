import type { Check, CollectorOptions, ProcessRow, Scope } from '#core/contract/schemas.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { ProcessExit, Target } from './target/target.ts';

/** One row of collectors/registry.ts: a tool that makes captures on a target. `Options` is the tool's own, validated, as data. */
export interface Collector<Options extends CollectorOptions> {
  readonly id: Options['collector'];
  readonly label: string;
  /** What it writes into a capture's folder. */
  readonly output: CollectorOutput;
  /** What the target can do; each fact `unknown` until found. */
  preflight(target: Target, options: Options): Promise<Preflight<Options>>;
  /** Starts recording what {@link preflight} planned. */
  start(target: Target, plan: Plan<Options>, sink: CaptureSink, clock: Clock): Recording;
  /** The plan of the next run of a series, given how the last one went. */
  planNext(plan: Plan<Options>, last: RecordingOutcome): Plan<Options>;
  /** Whose circumstances belong to the capture; null where no process of the target is known. */
  scope(options: Options): Scope | null;
  /** Names a capture. `process`: the one that {@link scope} names. */
  title(options: Options, process: ProcessRow | null): string;
  /** The options with what a {@link RecordingFinding} of the same collector says. */
  correct(options: Options, found: Options): Options;
  /** Completes the files of a recording that was cut off by the end of Flamebench. `target`: where it was made; null where it can't be asked. */
  recover(target: Target | null, sink: CaptureSink): Promise<Recovery>;
}

export type AnyCollector = Collector<CollectorOptions>;

export interface CollectorOutput {
  /** The file that is opened. */
  readonly primaryFile: string;
  /** Kept beside it, such as the tool's own stream. */
  readonly otherFiles: readonly string[];
  /** Importer id of the primary file; null where its content tells. */
  readonly format: string | null;
}

export interface Preflight<Options extends CollectorOptions> {
  readonly checks: readonly Check[];
  /** Null where recording is impossible; the checks say why. */
  readonly plan: Plan<Options> | null;
  /** Further captures of the same run, one after the other: several kinds of profile. */
  readonly also?: readonly Plan<Options>[];
}

/** One thing that a plan does. A request goes where its target does: from this machine, or through the connection to the host. */
export type PlanStep =
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | {
      readonly kind: 'request';
      readonly method: 'GET' | 'POST';
      /** Without a user and password. */
      readonly url: string;
      /** Names of those that are sent; their values are secrets, which only the options hold. */
      readonly headers: readonly string[];
    };

export const commandStep = (argv: readonly string[]): PlanStep => ({ kind: 'command', argv });

/** The plan's commands in order, each an argv. */
export const commandsOf = ({ steps }: Pick<AnyPlan, 'steps'>): (readonly string[])[] =>
  steps.flatMap((step) => (step.kind === 'command' ? [step.argv] : []));

/** What will run, as data: nothing else runs. */
export interface Plan<Options extends CollectorOptions> {
  readonly collector: Options['collector'];
  readonly options: Options;
  /** Exactly what will run or be fetched. */
  readonly steps: readonly PlanStep[];
  /** The commands run as one pipeline on the target, the output of each the input of the next. Otherwise Flamebench feeds one to the other. */
  readonly piped: boolean;
  /** As root: the argv by which they become so, as far as it is known before; see {@link describePlan}. Null: as the target's user. */
  readonly sudo: readonly string[] | null;
  /** Of {@link Collector.output}: those that this plan keeps beside the primary file. */
  readonly otherFiles: readonly string[];
  readonly toolVersion: string | null;
  /** The event that will be used. */
  readonly event: string | null;
  /** Samples per second and CPU; null where the collector does not choose it. */
  readonly rateHz: number | null;
  /** What runs in its place where the first second shows that stacks are cut. Absent: nothing does. */
  readonly fallback?: Plan<Options>;
}

export type AnyPlan = Plan<CollectorOptions>;

/** Where a recording puts its bytes: files of the capture's folder. */
export interface CaptureSink {
  /** Appends in order. Rejects with one line for the user, and a `remedy` where there is one (a full disk). */
  append(fileName: string, bytes: Uint8Array): Promise<void>;
  /** What has been appended so far; nothing where there is no such file. */
  read(fileName: string): AsyncIterable<Uint8Array>;
  /** Puts a new file in the place of an appended one once `chunks` has ended; where it throws, the old one stays and so does this. */
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
  /** From the first to the last sample; null without any. */
  readonly durationMs: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RecordingProgress {
  readonly state: 'preparing' | 'recording' | 'stopping' | 'finished' | 'failed' | 'cancelled';
  readonly elapsedMs: number;
  readonly samples: number;
  readonly lost: number;
  readonly bytes: number;
  readonly messages: readonly string[];
  /** What its beginning shows. Absent: nothing yet, or nothing to do better. */
  readonly finding?: RecordingFinding;
}

/** A fault of a recording that other options avoid. */
export interface RecordingFinding {
  /** One sentence. */
  readonly message: string;
  /** What recording so is called, verb first: `Restart with DWARF`. */
  readonly label: string;
  readonly options: CollectorOptions;
}

export interface Recording {
  /** Called at once, at each change of state and at least twice a second. */
  onProgress(listener: (progress: RecordingProgress) => void): void;
  /** Keeps what was recorded. Idempotent; resolves with the outcome. */
  stop(): Promise<void>;
  /** Ends without keeping, also while it stops. Idempotent; resolves with the outcome. */
  cancel(): Promise<void>;
  /** Resolves when everything has been written and the target is clean; never rejects. */
  readonly outcome: Promise<RecordingOutcome>;
}

export interface RecordingOutcome {
  readonly state: 'finished' | 'failed' | 'cancelled';
  /** The collector ended before it was to: what was recorded until then is kept. */
  readonly incomplete: boolean;
  readonly primaryFile: string;
  readonly otherFiles: readonly string[];
  readonly exit: ProcessExit | null;
  readonly samples: number;
  readonly lost: number;
  /** Unix epoch milliseconds of the first data; null where none came. */
  readonly startedAt: number | null;
  readonly durationMs: number;
  /** The event that was recorded, as far as known. */
  readonly event: string | null;
  readonly cpuSeconds: { readonly start: number; readonly end: number } | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Of what was kept; null without a sample. */
  readonly quality: CaptureQuality | null;
  /** One line each, where failed. */
  readonly error: { readonly code: string; readonly message: string; readonly remedy: string | null } | null;
}
