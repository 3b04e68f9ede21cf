import type { FileOrigin, SessionTab } from '#core/contract/session.ts';
import type { CompareSeed } from './compare/seed.ts';
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
  Side,
} from '#core/contract/schemas.ts';
import type { PerfScriptProgress } from '#core/contract/source.ts';
import type { TargetList, TargetRow } from '#core/contract/target.ts';
import type { CompareTray } from './compare-tray.ts';
import type { TransformDraft } from './transforms/transform-draft.ts';
import type { DoctorReport } from './targets/doctor-report.ts';
import type { Problem } from '../ui/problem.ts';
import type { OpenTab } from './open-tab.ts';
import type { ProfileTab } from './profile/tab.ts';
import type { ProfileView } from './profile/view.ts';
import type { TabLayout } from './tab-layout.ts';

/** A message that stays until the user closes it. */
export interface Notice {
  readonly id: number;
  readonly kind: 'info' | 'error';
  readonly text: string;
  readonly remedy: string | null;
  /** Shown on demand; absent: there is no more to say. */
  readonly details?: string | null;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

/** What a recording is for: the library alone, two sides that take turns (null: of a new experiment), or a side of an experiment. */
export type RecordPurpose =
  | { readonly kind: 'library' }
  | { readonly kind: 'in-turn'; readonly experimentId: string | null }
  | { readonly kind: 'side'; readonly experimentId: string; readonly side: Side };

export type OpenDialog =
  | {
      readonly kind: 'record';
      readonly purpose?: RecordPurpose;
      readonly repeat?: number;
      readonly targets?: readonly string[];
      /** Other fields as they are at first: those that ask for these options, of this process on the first target. */
      readonly initial?: { readonly options: CollectorOptions; readonly process: ProcessRow | null };
    }
  | { readonly kind: 'open-url' }
  | { readonly kind: 'add-target' }
  | { readonly kind: 'connect'; readonly target: string }
  | { readonly kind: 'rename-target'; readonly row: TargetRow }
  | { readonly kind: 'doctor'; readonly target: string }
  | { readonly kind: 'read-by-perf'; readonly source: PerfSource }
  | { readonly kind: 'compare-files'; readonly files: readonly [File, File]; readonly openBoth: () => void }
  | { readonly kind: 'compare-with'; readonly tab: ProfileTab }
  | { readonly kind: 'transform'; readonly draft: TransformDraft }
  | { readonly kind: 'export'; readonly view: ProfileView }
  | { readonly kind: 'recording'; readonly recordingId: string }
  | { readonly kind: 'commands' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'settings'; readonly page?: SettingsPage };

/** What perf is to read: a capture of the library, or the file of a tab, which is kept there first. */
export type PerfSource =
  | { readonly kind: 'capture'; readonly id: string }
  | { readonly kind: 'tab'; readonly tab: ProfileTab };

export type SettingsPage = 'look' | 'numbers' | 'start' | 'types' | 'keys';

export interface WorkbenchState {
  readonly engine: Pick<Result<'app.state'>, 'version' | 'libraryPath' | 'platform'> | null;
  /** Newest first. Null until first listed. */
  readonly captures: readonly CaptureDocument[] | null;
  readonly damaged: readonly DamagedCapture[];
  /** Those last changed first. Null until first listed. */
  readonly experiments: readonly ExperimentState[] | null;
  readonly damagedExperiments: readonly DamagedCapture[];
  /** Captures that were picked to be compared. */
  readonly tray: CompareTray;
  /** Captures of the library are being dragged. */
  readonly draggingCaptures: boolean;
  /** Whether the library lies over the tabs; null: the window has room for both. */
  readonly libraryOver: boolean | null;
  readonly libraryQuery: string;
  readonly libraryProblem: Problem | null;
  readonly tabs: readonly OpenTab[];
  /** Which tab is in which pane. */
  readonly layout: TabLayout;
  /** The tab in front of the pane that has the focus. */
  readonly activeTab: string | null;
  /** Newest last. */
  readonly closed: readonly ClosedTab[];
  /** Files outside the library that were opened before, newest first. */
  readonly recent: readonly RecentFile[];
  /** Files on their way into the library. */
  readonly transfers: readonly Transfer[];
  readonly recordings: ReadonlyMap<string, RecordingStatus>;
  /** Null until first listed. */
  readonly targets: TargetList | null;
  /** Ids of targets that commands can run on, also while sudo asks something there. */
  readonly reachable: ReadonlySet<string>;
  /** What the doctor found last, by target. */
  readonly doctors: ReadonlyMap<string, DoctorReport>;
  /** What of this window's was heard of last while perf reads a capture; `run` as this window called it. */
  readonly perfScript: (PerfScriptProgress & { readonly run: string }) | null;
  readonly terminalOpen: boolean;
  /** Whose terminal shows, or showed last. */
  readonly terminalTarget: string | null;
  readonly dialog: OpenDialog | null;
  readonly notices: readonly Notice[];
}

export interface ClosedTab {
  readonly plan: TabPlan;
  readonly group: string;
  readonly index: number;
}

/** A file on its way into the library. */
export interface Transfer {
  readonly id: number;
  readonly fileName: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Ends it at once; nothing of it stays. */
  readonly cancel: () => void;
}

/** What a tab can be made of again. */
export type TabPlan =
  | {
      readonly kind: 'profile';
      readonly source: TabSource;
      readonly origin: FileOrigin;
      readonly format: string | null;
      /** As {@link ProfileTab} wrote them. */
      readonly views: SessionTab['views'];
    }
  | { readonly kind: 'compare'; readonly seed: CompareSeed };

/** How actions say what happened. */
export interface Reporting {
  readonly notify: (notice: Omit<Notice, 'id'>) => void;
  /** Shows what failed, unless the banner of a lost connection says so already. */
  readonly report: (error: unknown) => void;
}
