import type { Store } from './store.ts';
import type { EngineClient } from './engine-client.ts';
import type { FleetSource } from '#core/contract/fleet/replicate.ts';
import type { ReportLoad } from '#core/contract/report/load.ts';
import type { FileOrigin, SessionTab } from '#core/contract/session.ts';
import type { Notice } from './notice.ts';
import type { CompareSeed } from './compare/seed.ts';
import type { LiveControl } from './live/control.ts';
import type { LoadPlan, LoadTab } from './load/tab.ts';
import type { TabSource } from './tab-source.ts';
import type { Result } from '#core/contract/contract.ts';
import type { ExperimentState } from '#core/contract/experiment.ts';
import type { RecentFile } from '#core/contract/session.ts';
import type {
  CaptureDocument,
  CollectorOptions,
  DamagedCapture,
  ProcessRow,
  RecordingStatus,
} from '#core/contract/schemas.ts';
import type { PerfScriptProgress } from '#core/contract/source.ts';
import type { TargetList, TargetRow } from '#core/contract/target.ts';
import type { Side } from '#core/contract/side.ts';
import type { TrayCaptures } from './compare-tray.ts';
import type { LibrarySelection } from './library-selection.ts';
import type { TransformDraft } from './transforms/draft.ts';
import type { DoctorReport } from './targets/doctor-report.ts';
import type { Problem } from '../ui/problem.ts';
import type { AnalysedTab, OpenTab } from './tabs/open-tab.ts';
import type { ProfileTab } from './profile/tab.ts';
import type { ProfileView } from './profile/view.ts';
import type { TabLayout } from './tabs/layout.ts';

/**
 * The purpose of a recording: the library alone, a live view that keeps nothing until it is saved, two alternating
 * sides (of a new experiment if null), or one side of an experiment.
 */
export type RecordPurpose =
  | { readonly kind: 'library' }
  | { readonly kind: 'live' }
  | { readonly kind: 'in-turn'; readonly experimentId: string | null }
  | { readonly kind: 'side'; readonly experimentId: string; readonly side: Side };

export type OpenDialog =
  | {
      readonly kind: 'record';
      readonly purpose?: RecordPurpose;
      readonly repeat?: number;
      readonly targets?: readonly string[];
      /** Initial options, with the process on the first target; other fields keep their defaults. */
      readonly initial?: { readonly options: CollectorOptions; readonly process: ProcessRow | null };
    }
  | { readonly kind: 'open-url' }
  | { readonly kind: 'add-target' }
  | { readonly kind: 'connect'; readonly target: string }
  | { readonly kind: 'rename-target'; readonly row: TargetRow }
  | { readonly kind: 'doctor'; readonly target: string }
  | { readonly kind: 'read-by-perf'; readonly source: PerfSource }
  | { readonly kind: 'read-by-go'; readonly source: PerfSource }
  | { readonly kind: 'compare-files'; readonly files: readonly [File, File]; readonly openBoth: () => void }
  | { readonly kind: 'compare-with'; readonly tab: ProfileTab }
  | { readonly kind: 'transform'; readonly draft: TransformDraft }
  | { readonly kind: 'export'; readonly tab: ProfileTab; readonly view: ProfileView }
  | { readonly kind: 'report'; readonly tab: AnalysedTab }
  | { readonly kind: 'report-load'; readonly loads: readonly ReportLoad[] }
  /** Asks whether the load of a tab goes on without it. */
  | { readonly kind: 'close-load'; readonly tab: LoadTab; readonly close: () => void }
  /** `carriers`: the function of a comparison whose captures are listed. */
  | { readonly kind: 'fleet'; readonly carriers?: FleetCarriers }
  | { readonly kind: 'recording'; readonly recordingId: string }
  | { readonly kind: 'trash' }
  | { readonly kind: 'kind-rules' }
  | { readonly kind: 'commands' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'settings'; readonly page?: SettingsPage };

/** A function of a comparison of a fleet, and where the comparison comes from. */
export interface FleetCarriers extends Pick<FleetSource, 'store' | 'type'> {
  readonly name: string;
  readonly before: FleetSource['filter'];
  readonly after: FleetSource['filter'];
}

/** What perf or Go reads: a capture of the library, or the file of a tab, which is added to the library first. */
export type PerfSource =
  | { readonly kind: 'capture'; readonly id: string }
  | { readonly kind: 'tab'; readonly tab: ProfileTab };

export type SettingsPage = 'look' | 'numbers' | 'start' | 'types' | 'keys';

export interface WorkbenchState {
  readonly engine: Pick<Result<'app.state'>, 'version' | 'libraryPath' | 'isDefaultLibrary' | 'platform'> | null;
  /** All of the library, newest first, regardless of its search; null until first listed. */
  readonly captures: readonly CaptureDocument[] | null;
  readonly damaged: readonly DamagedCapture[];
  /** Most recently changed first; null until first listed. */
  readonly experiments: readonly ExperimentState[] | null;
  readonly damagedExperiments: readonly DamagedCapture[];
  /** Captures chosen for a comparison. */
  readonly tray: TrayCaptures;
  readonly librarySelection: LibrarySelection;
  /** True while captures of the library are being dragged. */
  readonly draggingCaptures: boolean;
  /** Whether the library is shown over the tabs; null if the window has room for both. */
  readonly libraryOver: boolean | null;
  /** Number of notes by capture or experiment ID; those without notes are missing. */
  readonly noteCounts: Readonly<Record<string, number>>;
  /** False while the start has read only the newest of thousands of captures. */
  readonly isLibraryRead: boolean;
  readonly libraryQuery: string;
  readonly libraryProblem: Problem | null;
  readonly tabs: readonly OpenTab[];
  /** The tabs by pane. */
  readonly layout: TabLayout;
  /** The active tab of the focused pane. */
  readonly activeTab: string | null;
  /** Newest last. */
  readonly closed: readonly ClosedTab[];
  /** Recently opened files outside the library, newest first. */
  readonly recent: readonly RecentFile[];
  /** Files being added to the library. */
  readonly transfers: readonly Transfer[];
  readonly recordings: ReadonlyMap<string, RecordingStatus>;
  /** Null until first listed. */
  readonly targets: TargetList | null;
  /** IDs of targets that can run commands, including those where sudo is prompting. */
  readonly reachable: ReadonlySet<string>;
  /** The doctor's latest report, by target. */
  readonly doctors: ReadonlyMap<string, DoctorReport>;
  /** Latest progress of this window's read with perf; `run` is the ID that this window gave it. */
  readonly perfScript: (PerfScriptProgress & { readonly run: string }) | null;
  readonly terminalOpen: boolean;
  /** The target whose terminal is shown, or was shown last. */
  readonly terminalTarget: string | null;
  readonly dialog: OpenDialog | null;
  readonly notices: readonly Notice[];
}

interface ClosedTab {
  readonly plan: TabPlan;
  readonly group: string;
  readonly index: number;
}

/** A file being added to the library. */
export interface Transfer {
  readonly id: number;
  readonly fileName: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Cancels immediately; nothing is left in the library. */
  readonly cancel: () => void;
}

/** The state from which a tab can be recreated. */
export type TabPlan = LoadPlan | AnalysedPlan;

/** The state from which a profile or a comparison can be recreated. */
export type AnalysedPlan = Pick<AnalysedTab, 'about'> &
  (
    | {
        readonly kind: 'profile';
        readonly source: TabSource;
        /** Present if the source grows. */
        readonly live?: LiveControl;
        readonly origin: FileOrigin;
        readonly format: string | null;
        /** The views as {@link ProfileTab} stored them. */
        readonly views: SessionTab['views'];
      }
    | { readonly kind: 'compare'; readonly seed: CompareSeed }
  );

/** How actions report what happened. */
export interface Reporting {
  readonly notify: (notice: Omit<Notice, 'id'>) => void;
  /** Shows a failure, unless the banner of a lost connection already reports it. */
  readonly report: (error: unknown) => void;
}

/** The engine, and the window's state. */
export interface EngineAndStore {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
}
