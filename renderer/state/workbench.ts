import type { Reporting } from './workbench-state.ts';
import type { OpenDialog, WorkbenchState } from './workbench-state.ts';
import type { EngineEvent, PendingFile, Result } from '#core/contract/contract.ts';
import { EMPTY_TRAY } from './compare-tray.ts';
import type { EngineClient } from './engine-client.ts';
import { createExperimentActions, isExperimentFile } from './experiment-actions.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import { createLibraryActions } from './library-actions.ts';
import type { LibraryActions } from './library-actions.ts';
import { openNamed } from './named-comparisons.ts';
import type { PreferencesStore } from './preferences.ts';
import { createParts, type Parts } from '../ui/parts.tsx';
import { toProblem } from './problem.ts';
import { createRecordingActions } from './recording-actions.ts';
import type { RecordingActions } from './recording-actions.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import { createTabActions } from './tab-actions.ts';
import type { TabActions } from './tab-actions.ts';
import { EMPTY_LAYOUT } from './tab-layout.ts';
import type { StartClients } from './tab-plans.ts';
import { createTabSession } from './tab-session.ts';
import { createTargetActions } from './target-actions.ts';
import type { TargetActions } from './target-actions.ts';
import { createTransferActions } from './transfer-actions.ts';
import type { TransferActions } from './transfer-actions.ts';

/** Everything that the window shows and does, without the window. */
export interface Workbench extends Reporting {
  /** What is on screen, for commands. */
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
  /** Opens one of the recent files; where it has gone, that is said and it is forgotten. */
  readonly openRecent: (id: string) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly showDialog: (dialog: OpenDialog | null) => void;
  readonly dismiss: (id: number) => void;
}

/** More would cover the window; older ones go. */
const MAX_NOTICES = 4;

export function createWorkbench(
  engine: EngineClient,
  preferences: PreferencesStore,
  clients: StartClients,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): Workbench {
  const store = createStore<WorkbenchState>({
    engine: null,
    captures: null,
    damaged: [],
    experiments: null,
    damagedExperiments: [],
    tray: EMPTY_TRAY,
    draggingCaptures: false,
    libraryOver: null,
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
  });
  let lastNotice = 0;

  const notify: Workbench['notify'] = (notice) => {
    lastNotice += 1;
    store.set({ notices: [...store.get().notices, { ...notice, id: lastNotice }].slice(-MAX_NOTICES) });
  };
  const report: Workbench['report'] = (error) => {
    const { message, remedy, details, code } = toProblem(error);
    // A lost connection has its own banner.
    if (code !== 'connection-lost' && code !== 'session-expired')
      notify({ kind: 'error', text: message, remedy, details, action: null });
  };
  const base = { engine, store, notify, report };
  const tabs = createTabActions({ engine, store, preferences, clients });
  const session = createTabSession({ ...base, preferences, tabs, storage });
  const transfers = createTransferActions(base);
  const library = createLibraryActions({ ...base, tabs });
  const experiments = createExperimentActions({ ...base, tabs, transfers });
  const recording = createRecordingActions({ ...base, library, experiments });
  const targets = createTargetActions(base);

  function openHandles(files: readonly PendingFile[]): void {
    const isExperiment = ({ fileName }: PendingFile): boolean => isExperimentFile(fileName);
    tabs.openHandles(files.filter((file) => !isExperiment(file)));
    void experiments.importHandles(files.filter(isExperiment));
  }

  async function readState(): Promise<Result<'app.state'>> {
    const state = await engine.call('app.state', {});
    store.set({
      engine: { version: state.version, libraryPath: state.libraryPath, platform: state.platform },
      recordings: new Map(state.recordings.map((status) => [status.recordingId, status])),
    });
    for (const text of state.notices) notify({ kind: 'info', text, remedy: null, action: null });
    return state;
  }

  async function open(): Promise<void> {
    try {
      const listed = Promise.all([library.refresh(), experiments.refresh(), targets.refresh(), refreshRecent()]);
      const [state] = await Promise.all([readState(), session.start(listed)]);
      openHandles(state.pendingFiles);
      await library.open(state.pendingCaptures);
      await openNamed({ ...base, tabs, experiments }, state.pendingExperiments, state.pendingComparisons);
    } catch (error) {
      report(error);
    }
  }

  let opened = Promise.resolve();

  /** Settings heard of so far: an event is newer than an answer that was on its way when it came. */
  let settingsHeard = 0;

  /** What changed while the engine could not be heard. A change of one's own goes first, so that it is not undone. */
  async function catchUp(): Promise<void> {
    void library.refresh();
    void experiments.refresh();
    targets.catchUp();
    try {
      await preferences.flush();
      const heard = settingsHeard;
      const settings = await engine.call('settings.read', {});
      if (heard === settingsHeard) preferences.receive(settings);
      await refreshRecent();
    } catch (error) {
      report(error);
    }
  }

  async function refreshRecent(): Promise<void> {
    const { files } = await engine.call('recent.list', {});
    store.set({ recent: files });
  }

  async function openRecent(id: string): Promise<void> {
    try {
      openHandles([await engine.call('recent.open', { id })]);
    } catch (error) {
      report(error);
      await engine.call('recent.forget', { id }).catch(() => null);
    }
  }

  function onEvent(event: EngineEvent): void {
    switch (event.kind) {
      case 'recording':
        recording.update(event.status);
        break;
      case 'library-changed':
        void library.refresh();
        void experiments.refresh();
        break;
      case 'open-files':
        openHandles(event.files);
        void library.open(event.captures);
        void openNamed({ ...base, tabs, experiments }, event.experiments, event.comparisons).catch(report);
        for (const text of event.notices) notify({ kind: 'error', text, remedy: null, action: null });
        break;
      case 'settings-changed':
        settingsHeard += 1;
        preferences.receive(event.settings);
        break;
      case 'recent-changed':
        void refreshRecent().catch(report);
        break;
      case 'targets-changed':
      case 'target-state':
      case 'target-terminal':
      case 'target-check':
        targets.receive(event);
        break;
      case 'perf-script-progress':
        store.set({ perfScript: event });
        break;
    }
  }

  engine.onEvent(onEvent);
  engine.connection.subscribe(() => {
    if (engine.connection.get().state !== 'open') return;
    // At the start not beside the same requests: only what changed before events were heard is missing.
    void opened.then(catchUp);
  });

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
    openRecent,
    start: () => (opened = open()),
    showDialog: (dialog) => {
      store.set({ dialog });
    },
    notify,
    report,
    dismiss: (id) => {
      store.set({ notices: store.get().notices.filter((notice) => notice.id !== id) });
    },
  };
}
