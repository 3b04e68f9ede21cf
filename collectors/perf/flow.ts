import type { ProcessExit } from '../target/target.ts';
import type { PerfFailure } from './explain-failure.ts';
import type { ProcessFacts } from './process-facts.ts';
import type { PerfAttr, PerfStreamCounts } from './stream.ts';

/** One way of running `perf record` and `perf script`, and of bringing what they print to the capture. */
export interface PerfFlow {
  /**
   * Resolves with how `perf record` ended, when all that was printed is kept; null where it was ended before it began. Rejects where nothing
   * could be started.
   */
  run(process: ProcessFacts | null): Promise<ProcessExit | null>;
  /** `stop`: what was recorded is still made text. Also before {@link run}. */
  end(how: 'stop' | 'cancel'): void;
  /** Kills what didn't end; false where `perf record` has ended. */
  force(): boolean;
  /** Nothing more can be kept. */
  abandon(): void;
  /** Resolves when nothing runs. */
  dispose(): Promise<void>;
  readonly counts: PerfStreamCounts;
  /** Once it has ended. */
  result(): FlowResult;
}

export interface FlowResult {
  /** Of the events that were recorded; none where perf recorded nothing. */
  readonly attrs: readonly PerfAttr[];
  /** Why the text is not complete; null where it is. */
  readonly scriptFailure: string | null;
  readonly cpuSeconds: { readonly start: number; readonly end: number } | null;
  /** Whether the recorded process had ended; null where it must be looked for. */
  readonly targetEnded: boolean | null;
  /** By the target's clock; null where only ours knows. */
  readonly durationMs: number | null;
}

/** What a flow tells the recording. */
export interface FlowEvents {
  /** perf has begun. */
  begin(): void;
  append(fileName: string, chunk: Uint8Array): Promise<void>;
  /** Shown as it comes; resolves when the output ends. */
  readMessages(output: AsyncIterable<Uint8Array>): Promise<void>;
  /** The recording must not be kept. */
  refuse(failure: PerfFailure): void;
}

/** How `run` ends where nobody knows how a process did: the link was lost. */
export const isUnknown = ({ code, signal }: ProcessExit): boolean => code === null && signal === null;

export const noSuchProcess = (pid: number): PerfFailure => ({
  code: 'no-such-process',
  message: `there is no process ${pid}`,
  remedy: 'choose a running one: it may have ended or been restarted',
});

export const pidReused = (pid: number): PerfFailure => ({
  code: 'pid-reused',
  message: `process ${pid} is no longer the selected process`,
  remedy: 'select it again from the list',
});
