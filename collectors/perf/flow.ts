import type { RecordingFailure } from '../recording-failure.ts';
import type { CpuSeconds } from '../target/cpu-meter.ts';
import type { LaunchedProgram } from '../target/launched-program.ts';
import type { ProcessExit } from '../target/target.ts';
import type { FirstText } from './first-text.ts';
import type { PerfAttr, PerfStreamCounts } from './stream.ts';

/** One way of running `perf record` and `perf script` and of transferring their output into the capture. */
export interface PerfFlow {
  /**
   * Resolves with the exit of `perf record` once all output is stored; null if it was ended before it began. Rejects if
   * nothing could be started. `process` is the selected one; `program` is the launched one.
   */
  run(process: RecordedProcess | null, program: LaunchedProgram | null): Promise<ProcessExit | null>;
  /** `stop` still converts the recorded data to text. May be called before {@link run}. */
  end(how: 'stop' | 'cancel'): void;
  /** Kills what has not ended; returns false if `perf record` has ended. */
  force(): boolean;
  /** Called when no more data can be kept. */
  abandon(): void;
  /** Resolves when nothing runs. */
  dispose(): Promise<void>;
  readonly counts: PerfStreamCounts;
  /** Attributes of the recorded events; empty if perf recorded nothing, or if they are known only at the end. */
  readonly attrs: readonly PerfAttr[];
  /** CPU time of the recorded process or launched command; null if unknown, or if it is known only at the end. */
  readonly cpuSeconds: CpuSeconds | null;
  /** Its part in user code, likewise. */
  readonly userSeconds: CpuSeconds | null;
  /** Null: the recording is judged at its end only. */
  readonly firstText: FirstText | null;
  /** Returns the result once it has ended. */
  result(): FlowResult;
}

/** The process that is recorded, told from a later one with its PID. */
export interface RecordedProcess {
  readonly pid: number;
  readonly startTicks: string;
}

export interface FlowResult {
  /** False if there is only perf's stream. */
  readonly hasText: boolean;
  /** Why the text is incomplete; null if it is complete. */
  readonly scriptFailure: string | null;
  /** Maps that lack names, of a text that was made beside the recording; see `ScriptStats`. */
  readonly unresolvedMaps: ReadonlySet<string>;
  /** The process that passes on the text was killed on the target. */
  readonly isTorn: boolean;
  /** Whether the recorded process had ended; null if the caller must check. */
  readonly targetEnded: boolean | null;
  /** By the target's clock; null if only this machine's clock is known. */
  readonly durationMs: number | null;
}

/** Callbacks from a flow to the recording. */
export interface FlowEvents {
  /** Called when perf has begun. */
  begin(): void;
  append(fileName: string, chunk: Uint8Array): Promise<void>;
  /** Shows messages as they arrive; resolves when the output ends. */
  readMessages(output: AsyncIterable<Uint8Array>): Promise<void>;
  /** Called if the recording must not be kept. */
  refuse(failure: RecordingFailure): void;
}
