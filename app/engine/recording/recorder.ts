import type { Params } from '#core/contract/contract.ts';
import type { Check, RecordingStatus } from '#core/contract/schemas.ts';

/** The engine's view of recording sessions: what the RPC methods `record.*` call. */
export interface Recorder {
  /** What would run. Starts nothing but the collector's own look at the target. */
  plan(params: Params<'record.plan'>): Promise<PlannedRecording>;
  /**
   * The same recording with what its finding says, to be started in its place: that discards it. Rejects with code `nothing-found` where
   * it has no finding.
   */
  planRestart(recordingId: string): Promise<PlannedRecording>;
  /** Every recording that runs, and those that ended since the engine started. */
  list(): readonly RecordingStatus[];
  /** Keeps what was recorded. Idempotent; rejects with an `EngineFailure` `not-found` for an id it never gave. */
  stop(recordingId: string): Promise<RecordingStatus>;
  /** Discards what was recorded. Idempotent; rejects like {@link stop}. */
  cancel(recordingId: string): Promise<RecordingStatus>;
  /** Called at each change and about twice a second while recording. */
  onStatus(listener: (status: RecordingStatus) => void): void;
  /** Stops what runs, keeping it. Idempotent. */
  dispose(): Promise<void>;
}

/** A plan that can be started as it was shown. The engine keeps it behind a confirmation token. */
export interface PlannedRecording {
  readonly hosts: readonly PlannedHost[];
  /** Starts exactly the hosts' commands. Null where recording is impossible on all of them; the checks say why. */
  readonly start: (() => Promise<RecordingStatus>) | null;
}

export interface PlannedHost {
  readonly targetId: string;
  /** Exactly what will run, each an argv. Empty where recording is impossible; the checks say why. */
  readonly commands: readonly (readonly string[])[];
  /** Exactly what will be fetched. */
  readonly requests: readonly string[];
  /** The same for display. */
  readonly lines: readonly string[];
  readonly checks: readonly Check[];
}
