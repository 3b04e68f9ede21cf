import { analysedTabs } from './tabs/open-tab.ts';
import type { EngineEvent } from '#core/contract/contract.ts';
import type { ExperimentActions } from './experiments/actions.ts';
import type { LibraryActions } from './library-actions.ts';
import type { RequestedOpening } from './open-requested.ts';
import type { PreferencesStore } from './preferences.ts';
import type { RecordingActions } from './recording-actions.ts';
import type { TargetActions } from './target-actions.ts';
import type { Reporting, EngineAndStore } from './workbench-state.ts';

interface FollowNeeds extends EngineAndStore, Pick<Reporting, 'report'> {
  readonly preferences: Pick<PreferencesStore, 'flush' | 'receive'>;
  readonly library: Pick<LibraryActions, 'refresh'>;
  readonly experiments: Pick<ExperimentActions, 'refresh'>;
  readonly recording: Pick<RecordingActions, 'update'>;
  readonly targets: Pick<TargetActions, 'catchUp' | 'receive'>;
  readonly asked: Pick<RequestedOpening, 'later'>;
}

interface Following {
  /** Reads the number of notes and the notes of open tabs. If counts can't be read, the library's list lacks them. */
  readonly refreshNotes: () => Promise<void>;
  readonly refreshRecent: () => Promise<void>;
  /** Returns the promise of the initial requests, after which a lost connection is caught up with. */
  readonly from: (started: Promise<void>) => Promise<void>;
}

/** Keeps the window's state in step with the engine: applies its events, and what changed while it was unreachable. */
export function followEngine(needs: FollowNeeds): Following {
  const { engine, store, preferences, library, experiments, recording, targets, asked, report } = needs;
  let started = Promise.resolve();
  /** Number of settings events received; an event is newer than an answer that was in flight when it arrived. */
  let settingsHeard = 0;

  async function refreshNotes(): Promise<void> {
    for (const { notes } of analysedTabs(store.get().tabs)) void notes.refresh();
    const counted = await engine.call('library.noteCounts', {}).catch(() => null);
    if (counted !== null) store.set({ noteCounts: counted.counts });
  }

  async function refreshRecent(): Promise<void> {
    const { files } = await engine.call('recent.list', {});
    store.set({ recent: files });
  }

  function refreshLibrary(): void {
    void library.refresh();
    void experiments.refresh();
    void refreshNotes();
  }

  /** Reloads everything. The user's own changes are sent first, so that they are not overwritten. */
  async function catchUp(): Promise<void> {
    refreshLibrary();
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
        refreshLibrary();
        break;
      case 'open-files':
        asked.later(event);
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
    void started.then(catchUp);
  });

  return { refreshNotes, refreshRecent, from: (first) => (started = first) };
}
