import { ARRANGEMENT, changeSettings, DEFAULT_SETTINGS, joinChanges } from '#core/contract/settings.ts';
import type { Settings, SettingsChange } from '#core/contract/settings.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

export type ThemeChoice = Settings['theme'];

/** How the user likes the window: the settings that the engine keeps, and what each window begins anew with. */
export interface Preferences extends Settings {
  /** Begins with the details at each start. */
  readonly detailsPage: 'details' | 'labels' | 'source' | 'diagnostics';
  /** The graph has the room of tables and details. Ends when these are asked for, and with the window. */
  readonly graphAlone: boolean;
}

export interface PreferencesStore extends Store<Preferences> {
  /** In force at once; kept by the engine soon after. Of `keys` and `valueTypes` the entries named change, see {@link SettingsChange}. */
  readonly set: (change: Partial<Preferences>) => void;
  readonly change: (change: SettingsChange) => void;
  /** What the engine says that holds, for whichever window changed it. */
  readonly receive: (settings: Settings) => void;
  /** Sends what could not be sent while the engine was lost. */
  readonly flush: () => Promise<void>;
}

export interface PreferencesHost {
  /** Rejects where the engine can't be reached, or could not keep the change. */
  readonly write: (change: SettingsChange) => Promise<unknown>;
  readonly report: (error: unknown) => void;
  /** The engine may come back: the change is kept to be sent again. */
  readonly isLost: (error: unknown) => boolean;
}

const DEFAULTS: Preferences = { ...DEFAULT_SETTINGS, detailsPage: 'details', graphAlone: false };

export function createPreferences({ write, report, isLost }: PreferencesHost, initial?: Settings): PreferencesStore {
  const store = createStore<Preferences>({ ...DEFAULTS, ...initial });
  /** On its way to the engine. */
  let sent: SettingsChange | null = null;
  let waiting: SettingsChange | null = null;

  async function flush(): Promise<void> {
    while (sent === null && waiting !== null) {
      sent = waiting;
      waiting = null;
      try {
        await write(sent);
      } catch (error) {
        if (!isLost(error)) report(error);
        else {
          waiting = waiting === null ? sent : joinChanges(sent, waiting);
          return;
        }
      } finally {
        sent = null;
      }
    }
  }

  function change(settings: SettingsChange): void {
    store.set(changeSettings(store.get(), settings));
    waiting = waiting === null ? settings : joinChanges(waiting, settings);
    void flush();
  }

  return {
    ...store,
    change,
    set: ({ detailsPage, graphAlone, ...settings }) => {
      if (detailsPage !== undefined) store.set({ detailsPage });
      const asksForPanes = detailsPage !== undefined || settings.table !== undefined || settings.detailsOpen === true;
      if (graphAlone !== undefined || asksForPanes) store.set({ graphAlone: graphAlone ?? false });
      if (Object.keys(settings).length > 0) change(settings);
    },
    receive: (settings) => {
      const now = store.get();
      const arrangement = Object.fromEntries(ARRANGEMENT.map((field) => [field, now[field]]));
      const unsaved = [sent, waiting].filter((one) => one !== null);
      store.set({ ...unsaved.reduce(changeSettings, settings), ...arrangement });
    },
    flush,
  };
}
