import type { Check, PerfOptions } from '#core/contract/schemas.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { ProcessExit, Target } from './target/target.ts';

/** One row of collectors/registry.ts: a tool that makes captures on a target. `Options` is the tool's own, validated, as data. */
export interface Collector<Options> {
  readonly id: string;
  readonly label: string;
  /** What the target can do; each fact `unknown` until found. */
  preflight(target: Target, options: Options): Promise<Preflight<Options>>;
  /** Starts recording what {@link preflight} planned. */
  start(target: Target, plan: Plan<Options>, sink: CaptureSink, clock: Clock): Promise<Recording>;
}

export interface Preflight<Options> {
  readonly checks: readonly Check[];
  /** Null where recording is impossible; the checks say why. */
  readonly plan: Plan<Options> | null;
}

/** What will run, as data: nothing else runs. */
export interface Plan<Options> {
  readonly collector: string;
  readonly options: Options;
  /** Exactly what will run, each an argv. */
  readonly commands: readonly (readonly string[])[];
  readonly toolVersion: string | null;
  /** The event that will be used. */
  readonly event: string | null;
}

/** Where a recording puts its bytes: files of the capture's folder, appended in order. */
export interface CaptureSink {
  append(fileName: string, bytes: Uint8Array): Promise<void>;
}

export interface Clock {
  /** Unix epoch milliseconds. */
  now(): number;
  /** Milliseconds, monotonic. */
  monotonic(): number;
}

export interface RecordingProgress {
  readonly state: 'recording' | 'stopping' | 'finished' | 'failed' | 'cancelled';
  readonly elapsedMs: number;
  readonly samples: number;
  readonly lost: number;
  readonly bytes: number;
  readonly messages: readonly string[];
}

export interface Recording {
  /** Called at each change and at least twice a second. */
  onProgress(listener: (progress: RecordingProgress) => void): void;
  /** Keeps what was recorded. Idempotent. */
  stop(): Promise<void>;
  /** Ends without keeping. Idempotent. */
  cancel(): Promise<void>;
  /** Resolves when everything has been written and the target is clean; never rejects. */
  readonly outcome: Promise<RecordingOutcome>;
}

export interface RecordingOutcome {
  readonly state: 'finished' | 'failed' | 'cancelled';
  readonly primaryFile: string;
  readonly otherFiles: readonly string[];
  readonly exit: ProcessExit | null;
  readonly samples: number;
  readonly lost: number;
  readonly durationMs: number;
  readonly cpuSeconds: { readonly start: number; readonly end: number } | null;
  readonly diagnostics: readonly Diagnostic[];
  /** One line with the remedy, where failed. */
  readonly error: string | null;
}

export type PerfCollector = Collector<PerfOptions>;
