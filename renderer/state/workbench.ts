import type { EngineEvent, Result } from '#core/contract/contract.ts';
import type { CaptureDocument, DamagedCapture, RecordingStatus } from '#core/contract/schemas.ts';
import type { EngineClient } from './engine-client.ts';
import { createLibraryActions } from './library-actions.ts';
import type { LibraryActions } from './library-actions.ts';
import type { Preferences } from './preferences.ts';
import type { TransformDraft } from '../transforms/transform-draft.ts';
import { toProblem } from './problem.ts';
import type { Problem } from './problem.ts';
import type { ProfileTab } from './profile-tab.ts';
import type { ProfileView } from './profile-view.ts';
import { createRecordingActions } from './recording-actions.ts';
import type { RecordingActions } from './recording-actions.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import { createTabActions } from './tab-actions.ts';
import type { StartClient, TabActions } from './tab-actions.ts';

/** A message that stays until the user closes it. */
export interface Notice {
  readonly id: number;
  readonly kind: 'info' | 'error';
  readonly text: string;
  readonly remedy: string | null;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

export type OpenDialog =
  | { readonly kind: 'record' }
  | { readonly kind: 'transform'; readonly draft: TransformDraft }
  | { readonly kind: 'export'; readonly view: ProfileView }
  | { readonly kind: 'recording'; readonly recordingId: string }
  | { readonly kind: 'commands' }
  | { readonly kind: 'keys' };

export interface WorkbenchState {
  readonly engine: Pick<Result<'app.state'>, 'version' | 'libraryPath' | 'platform'> | null;
  /** Newest first. Null until first listed. */
  readonly captures: readonly CaptureDocument[] | null;
  readonly damaged: readonly DamagedCapture[];
  readonly libraryQuery: string;
  readonly libraryProblem: Problem | null;
  readonly tabs: readonly ProfileTab[];
  readonly activeTab: string | null;
  readonly recordings: ReadonlyMap<string, RecordingStatus>;
  readonly dialog: OpenDialog | null;
  readonly notices: readonly Notice[];
}

/** Everything that the window shows and does, without the window. */
export interface Workbench {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly preferences: Store<Preferences>;
  readonly library: LibraryActions;
  readonly tabs: TabActions;
  readonly recording: RecordingActions;
  readonly start: () => Promise<void>;
  readonly showDialog: (dialog: OpenDialog | null) => void;
  readonly notify: (notice: Omit<Notice, 'id'>) => void;
  readonly report: (error: unknown) => void;
  readonly dismiss: (id: number) => void;
}

/** More would cover the window; older ones go. */
const MAX_NOTICES = 4;

export function createWorkbench(
  engine: EngineClient,
  preferences: Store<Preferences>,
  startClient: StartClient,
): Workbench {
  const store = createStore<WorkbenchState>({
    engine: null,
    captures: null,
    damaged: [],
    libraryQuery: '',
    libraryProblem: null,
    tabs: [],
    activeTab: null,
    recordings: new Map(),
    dialog: null,
    notices: [],
  });
  let lastNotice = 0;

  const notify: Workbench['notify'] = (notice) => {
    lastNotice += 1;
    store.set({ notices: [...store.get().notices, { ...notice, id: lastNotice }].slice(-MAX_NOTICES) });
  };
  const report: Workbench['report'] = (error) => {
    const { message, remedy, code } = toProblem(error);
    // A lost connection has its own banner.
    if (code !== 'connection-lost' && code !== 'session-expired')
      notify({ kind: 'error', text: message, remedy, action: null });
  };
  const base = { engine, store, notify, report };
  const tabs = createTabActions({ ...base, startClient });
  const library = createLibraryActions({ ...base, tabs });
  const recording = createRecordingActions({ ...base, library });

  async function start(): Promise<void> {
    try {
      const state = await engine.call('app.state', {});
      store.set({
        engine: { version: state.version, libraryPath: state.libraryPath, platform: state.platform },
        recordings: new Map(state.recordings.map((status) => [status.recordingId, status])),
      });
      for (const text of state.notices) notify({ kind: 'info', text, remedy: null, action: null });
      await library.refresh();
      tabs.openHandles(state.pendingFiles);
      for (const id of state.pendingCaptures) await library.open(id);
    } catch (error) {
      report(error);
    }
  }

  function onEvent(event: EngineEvent): void {
    switch (event.kind) {
      case 'recording':
        recording.update(event.status);
        break;
      case 'library-changed':
        void library.refresh();
        break;
      case 'open-files':
        tabs.openHandles(event.files);
        break;
    }
  }

  engine.onEvent(onEvent);
  engine.connection.subscribe(() => {
    if (engine.connection.get().state === 'open') void library.refresh();
  });

  return {
    engine,
    store,
    preferences,
    library,
    tabs,
    recording,
    start,
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
