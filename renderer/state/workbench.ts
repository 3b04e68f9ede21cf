import type { Reporting, OpenDialog, WorkbenchState } from './workbench-state.ts';
import type { EngineEvent, Params, PendingFile, Result, PendingComparison } from '#core/contract/contract.ts';
import type { SessionTab } from '#core/contract/session.ts';
import { EMPTY_TRAY } from './compare-tray.ts';
import { NO_SELECTION } from './library-selection.ts';
import type { EngineClient } from './engine-client.ts';
import { createExperimentActions, isExperimentFile, type ExperimentActions } from './experiment-actions.ts';
import { createLibraryActions, type LibraryActions } from './library-actions.ts';
import type { PreferencesStore } from './preferences.ts';
import { createNavigation, type Navigation } from './navigation.ts';
import { withNotice } from './notices.ts';
import { createParts, type Parts } from '../ui/parts.tsx';
import { toProblem } from './problem.ts';
import { createRecordingActions, type RecordingActions } from './recording-actions.ts';
import { createStore, type Store } from './store.ts';
import { createTabActions, type TabActions } from './opening/actions.ts';
import { EMPTY_LAYOUT } from './tabs/layout.ts';
import type { StartClients } from './opening/plans.ts';
import { createTabSession } from './opening/session.ts';
import { createTargetActions, type TargetActions } from './target-actions.ts';
import { createTransferActions, type TransferActions } from './transfer-actions.ts';
import { primaryFile, type EngineAndStore } from './opening/sources.ts';
import { readComparison } from './compare/document.ts';
import type { CompareInput } from './compare/compare.types.ts';
import { loadPart } from '../ui/load-part.ts';

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
  });
  let lastNotice = 0;

  const notify: Workbench['notify'] = (notice) => {
    lastNotice += 1;
    store.set({ notices: withNotice(store.get().notices, { ...notice, id: lastNotice }) });
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

  function openHandles(files: readonly PendingFile[], views: SessionTab['views'] = null): void {
    const isExperiment = ({ fileName }: PendingFile): boolean => isExperimentFile(fileName);
    tabs.openHandles(
      files.filter((file) => !isExperiment(file)),
      views,
    );
    void experiments.importHandles(files.filter(isExperiment));
  }

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
      const listed = Promise.all([library.refresh(), experiments.refresh(), targets.refresh(), refreshRecent()]);
      void refreshNotes();
      const [state] = await Promise.all([readState(), session.start(listed)]);
      const views = await viewsOf(state.pendingView);
      openHandles(state.pendingFiles, views);
      await library.open(state.pendingCaptures, views);
      await openNamed(
        { ...base, tabs, experiments },
        {
          experiments: state.pendingExperiments,
          comparisons: state.pendingComparisons,
          view: state.pendingView,
        },
      );
      if (state.pendingLive !== null) await watchNamed(state.pendingLive);
    } catch (error) {
      report(error);
    }
  }

  let opened = Promise.resolve();

  /** Number of settings events received; an event is newer than an answer that was in flight when it arrived. */
  let settingsHeard = 0;

  /**
   * Reloads what changed while the engine was unreachable. The user's own changes are sent first, so that they are not
   * overwritten.
   */
  async function catchUp(): Promise<void> {
    void library.refresh();
    void experiments.refresh();
    void refreshNotes();
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

  /** Applies changes of notes by other windows. If counts can't be read, the library's list lacks them. */
  async function refreshNotes(): Promise<void> {
    for (const { notes } of store.get().tabs) void notes.refresh();
    const counted = await engine.call('library.noteCounts', {}).catch(() => null);
    if (counted !== null) store.set({ noteCounts: counted.counts });
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

  async function openAsked({ files, captures, view }: Extract<EngineEvent, { kind: 'open-files' }>): Promise<void> {
    const views = await viewsOf(view);
    openHandles(files, views);
    await library.open(captures, views);
  }

  async function watchNamed(wish: Params<'live.plan'>): Promise<void> {
    const { watchNamed: watch } = await loadPart(() => import('./watch-named.ts'));
    await watch({ engine, store, tabs, targets }, wish).catch(report);
  }

  function onEvent(event: EngineEvent): void {
    switch (event.kind) {
      case 'recording':
        recording.update(event.status);
        break;
      case 'live':
        for (const tab of store.get().tabs) {
          if (tab.kind === 'profile' && tab.live?.liveId === event.status.liveId) tab.live.receive(event.status);
        }
        break;
      case 'library-changed':
        void library.refresh();
        void experiments.refresh();
        void refreshNotes();
        break;
      case 'open-files':
        void openAsked(event).catch(report);
        void openNamed({ ...base, tabs, experiments }, event).catch(report);
        if (event.live !== null) void watchNamed(event.live);
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
    // At startup, runs only after the initial requests, since only changes before the event stream connected can be
    // missing.
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
    navigation: createNavigation(store, tabs),
    openRecent,
    start: () => (opened = open()),
    leave: session.leave,
    losesNotes: session.losesNotes,
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

/** Returns the views of a command line; invalid ones are refused with a message once the tab has been read. */
async function viewsOf(word: string | null): Promise<SessionTab['views']> {
  if (word === null) return null;
  const { viewFromWord } = await loadPart(() => import('#core/report/packed-views.ts'));
  return (viewFromWord(word) ?? 'invalid') as SessionTab['views'];
}

/** Opens what the command line or the system named: experiments, and files and captures to compare. */
async function openNamed(
  needs: EngineAndStore &
    Pick<Reporting, 'notify'> & { readonly tabs: TabActions; readonly experiments: Pick<ExperimentActions, 'open'> },
  named: Pick<Extract<EngineEvent, { kind: 'open-files' }>, 'experiments' | 'comparisons' | 'view'>,
): Promise<void> {
  const { tabs, experiments, notify } = needs;
  if (named.experiments.length + named.comparisons.length === 0) return;
  const document = named.view === null ? null : await readComparison(await viewsOf(named.view));
  if (named.view !== null && document === null) {
    notify({ kind: 'error', text: 'The view of the command can’t be read.', remedy: 'Copy it again.', action: null });
  }
  const input = async (one: PendingComparison['before'][number]): Promise<CompareInput> =>
    one.kind === 'file' ? tabs.handleInput(one.file) : tabs.captureInput(one.id, await primaryFile(needs, one.id));
  for (const id of named.experiments) await experiments.open(id, document);
  for (const { before, after } of named.comparisons) {
    tabs.compare({
      before: await Promise.all(before.map(input)),
      after: await Promise.all(after.map(input)),
      document,
    });
  }
}
