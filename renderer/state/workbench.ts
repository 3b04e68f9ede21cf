import type { Reporting, OpenDialog, WorkbenchState } from './workbench-state.ts';
import type { Result } from '#core/contract/contract.ts';
import { EMPTY_TRAY } from './compare-tray.ts';
import { NO_SELECTION } from './library-selection.ts';
import type { EngineClient } from './engine-client.ts';
import { createExperimentActions, type ExperimentActions } from './experiments/actions.ts';
import { createLibraryActions, type LibraryActions } from './library-actions.ts';
import type { PreferencesStore } from './preferences.ts';
import { createNavigation, type Navigation } from './navigation.ts';
import { createNotices } from './notices.ts';
import { createParts, type Parts } from '../ui/parts.tsx';
import { createRecordingActions, type RecordingActions } from './recording-actions.ts';
import { createStore, type Store } from './store.ts';
import { createRequestedOpening } from './open-requested.ts';
import { followEngine } from './follow-engine.ts';
import { createTabActions, type TabActions } from './opening/actions.ts';
import { EMPTY_LAYOUT } from './tabs/layout.ts';
import type { StartClients } from './opening/plans.ts';
import { createTabSession } from './opening/session.ts';
import { createTargetActions, type TargetActions } from './target-actions.ts';
import { createTransferActions, type TransferActions } from './transfer-actions.ts';

/** The window's state and actions, without its components. */
export interface Workbench extends Reporting {
  /** The components on screen, for commands. */
  readonly parts: Parts;
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly preferences: PreferencesStore;
  readonly library: LibraryActions;
  readonly experiments: ExperimentActions;
  readonly tabs: TabActions;
  readonly recording: RecordingActions;
  readonly targets: TargetActions;
  readonly transfers: TransferActions;
  readonly navigation: Navigation;
  /** Opens a recent file. If it is gone, that is reported and the entry is removed. */
  readonly openRecent: (id: string) => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stores pending changes, since the page is being closed. */
  readonly leave: () => void;
  /** See {@link TabSession.losesNotes}. */
  readonly losesNotes: () => boolean;
  readonly showDialog: (dialog: OpenDialog | null) => void;
  readonly dismiss: (id: number) => void;
}

const EMPTY: WorkbenchState = {
  engine: null,
  captures: null,
  damaged: [],
  experiments: null,
  damagedExperiments: [],
  tray: EMPTY_TRAY,
  librarySelection: NO_SELECTION,
  draggingCaptures: false,
  libraryOver: null,
  noteCounts: {},
  isLibraryRead: true,
  libraryQuery: '',
  libraryProblem: null,
  tabs: [],
  layout: EMPTY_LAYOUT,
  activeTab: null,
  closed: [],
  recent: [],
  transfers: [],
  recordings: new Map(),
  targets: null,
  reachable: new Set(),
  doctors: new Map(),
  perfScript: null,
  terminalOpen: false,
  terminalTarget: null,
  dialog: null,
  notices: [],
};

export function createWorkbench(
  engine: EngineClient,
  preferences: PreferencesStore,
  clients: StartClients,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): Workbench {
  const store = createStore(EMPTY);
  const { notify, report, dismiss } = createNotices(store);
  const base = { engine, store, notify, report };
  const tabs = createTabActions({ engine, store, preferences, clients });
  const session = createTabSession({ ...base, preferences, tabs, storage });
  const transfers = createTransferActions(base);
  const library = createLibraryActions({ ...base, tabs });
  const experiments = createExperimentActions({ ...base, tabs, transfers });
  const recording = createRecordingActions({ ...base, library, experiments, tabs });
  const targets = createTargetActions(base);

  const asked = createRequestedOpening({ ...base, tabs, library, experiments, targets });
  const following = followEngine({ ...base, preferences, library, experiments, recording, targets, asked });

  async function readState(): Promise<Result<'app.state'>> {
    const state = await engine.call('app.state', {});
    store.set({
      engine: {
        version: state.version,
        libraryPath: state.libraryPath,
        isDefaultLibrary: state.isDefaultLibrary,
        platform: state.platform,
      },
      recordings: new Map(state.recordings.map((status) => [status.recordingId, status])),
    });
    for (const text of state.notices) notify({ kind: 'info', text, remedy: null, action: null, stays: true });
    return state;
  }

  async function open(): Promise<void> {
    try {
      const listed = Promise.all([
        library.refresh(),
        experiments.refresh(),
        targets.refresh(),
        following.refreshRecent(),
      ]);
      void following.refreshNotes();
      const [state] = await Promise.all([readState(), session.restore(listed)]);
      await asked.atStart(state).finally(session.follow);
    } catch (error) {
      report(error);
    }
  }

  return {
    parts: createParts(),
    engine,
    store,
    preferences,
    library,
    experiments,
    tabs,
    recording,
    targets,
    transfers,
    navigation: createNavigation(store, tabs),
    openRecent: asked.recent,
    start: () => following.from(open()),
    leave: session.leave,
    losesNotes: session.losesNotes,
    showDialog: (dialog) => store.set({ dialog }),
    notify,
    report,
    dismiss,
  };
}
