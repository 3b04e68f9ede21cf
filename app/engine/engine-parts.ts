import type { UserConfig } from './config/user-config.ts';
import type { Confirmations } from './recording/confirmations.ts';
import type { EventHub } from './http/events.ts';
import type { Experiments } from './experiments/experiments.ts';
import type { FileHandles } from './files/file-handles.ts';
import type { Library } from './library/library.ts';
import type { PendingRequests } from './files/open-requests.ts';
import type { PlannedRecording, Recorder } from './recording/recorder.ts';
import type { SourceService } from './source/source-service.ts';
import type { Targets } from './targets/targets.ts';

/** What the handlers work on. */
export interface EngineParts {
  readonly library: Library;
  readonly experiments: Experiments;
  readonly recorder: Recorder;
  readonly targets: Targets;
  readonly fileHandles: FileHandles;
  readonly source: SourceService;
  readonly confirmations: Confirmations<NonNullable<PlannedRecording['start']>>;
  readonly connects: Confirmations<PlannedConnection>;
  /** What was asked to be opened at the start, or while no window was there. */
  readonly pending: PendingRequests;
  readonly config: UserConfig;
  readonly broadcast: EventHub['broadcast'];
}

/** A call of ssh as it was shown. */
export interface PlannedConnection {
  readonly target: string;
  readonly command: readonly string[];
}
