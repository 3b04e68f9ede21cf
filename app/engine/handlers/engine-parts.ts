import type { UserConfig } from '../config/user-config.ts';
import type { Confirmations } from '../recording/confirmations.ts';
import type { EventHub } from '../http/events.ts';
import type { Experiments } from '../experiments/experiments.ts';
import type { FileHandles } from '../files/file-handles.ts';
import type { Library } from '../library/library.ts';
import type { PendingRequests } from '../open-requests.ts';
import type { RunningLoads } from './load-handlers.ts';
import type { LiveStatus } from '#core/contract/live.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { PlannedRecording, Recorder } from '../recording/recorder.ts';
import type { SourceService } from '../source/source-service.ts';
import type { Targets } from '../targets/targets.ts';

/** The parts of the engine that handlers use. */
export interface EngineParts {
  readonly library: Library;
  readonly experiments: Experiments;
  readonly recorder: Recorder;
  readonly live: LiveSessions;
  readonly loads: RunningLoads;
  readonly targets: Targets;
  readonly fileHandles: FileHandles;
  readonly source: SourceService;
  readonly confirmations: Confirmations<NonNullable<PlannedRecording['start']>>;
  readonly liveStarts: Confirmations<() => Promise<LiveStatus>>;
  readonly connects: Confirmations<PlannedConnection>;
  /** Files requested at the start, or while no window was open. */
  readonly pending: PendingRequests;
  readonly config: UserConfig;
  /** Deletes what has been in the trash for longer than the settings say. */
  readonly emptyTrash: () => Promise<void>;
  readonly broadcast: EventHub['broadcast'];
  /** Returns a token for one more window; null if pages ask for a code instead. */
  readonly newWindowToken: () => string | null;
}

/** An ssh command as it was shown to the user. */
interface PlannedConnection {
  readonly target: string;
  readonly command: readonly string[];
}
