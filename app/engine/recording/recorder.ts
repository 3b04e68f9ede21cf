import type { Params } from '#core/contract/contract.ts';
import type { GrowingRun } from './growing-run.ts';
import type { Check, RecordingStatus } from '#core/contract/schemas.ts';

/** The engine's interface to recordings, used by the RPC methods `record.*`. */
export interface Recorder {
  /** Returns what would run. Starts nothing except the collector's own inspection of the target. */
  plan(params: Params<'record.plan'>): Promise<PlannedRecording>;
  /**
   * Plans the same recording with the changes that its finding suggests; starting it discards the running one. Rejects
   * with code `nothing-found` if there is no finding.
   */
  planRestart(recordingId: string): Promise<PlannedRecording>;
  /** Returns what a live view of a recording reads. Throws `not-found`, or `no-graph-yet` with the reason. */
  growing(recordingId: string): GrowingRun;
  /** Returns all recordings that run, and those that ended since the engine started. */
  list(): readonly RecordingStatus[];
  /** Ends a recording and keeps its data. Idempotent; rejects with `EngineFailure` `not-found` for an unknown ID. */
  stop(recordingId: string): Promise<RecordingStatus>;
  /** Ends a recording and discards its data. Idempotent; rejects as {@link stop} does. */
  cancel(recordingId: string): Promise<RecordingStatus>;
  /** Called at each change and about twice a second while recording. */
  onStatus(listener: (status: RecordingStatus) => void): void;
  /** Stops all recordings and keeps their data. Idempotent. */
  dispose(): Promise<void>;
}

/** A plan that can be started as it was shown. The engine keeps it until its token is confirmed. */
export interface PlannedRecording {
  readonly hosts: readonly PlannedHost[];
  /** Starts exactly the hosts' commands. Null if none can record; the checks say why. */
  readonly start: (() => Promise<RecordingStatus>) | null;
}

export interface PlannedHost {
  readonly targetId: string;
  /** Exactly the commands that will run, each an argv. Empty if recording is impossible; the checks say why. */
  readonly commands: readonly (readonly string[])[];
  /** Exactly the requests that will be sent. */
  readonly requests: readonly string[];
  /** Lines for display. */
  readonly lines: readonly string[];
  readonly checks: readonly Check[];
}
