import { ARRANGEMENT, changeSettings, DEFAULT_SETTINGS, joinChanges } from '#core/contract/settings.ts';
import type { Settings, SettingsChange } from '#core/contract/settings-schema.ts';
import { createStore, type Store } from './store.ts';

export type ThemeChoice = Settings['theme'];

/** The user's preferences: settings that the engine stores, and state that each window starts afresh. */
export interface Preferences extends Settings {
  /** Set to the details page at each start. */
  readonly detailsPage: 'summary' | 'details' | 'notes' | 'labels' | 'goroutines' | 'source' | 'diagnostics';
  /** True if the graph fills the space of tables and details. Ends when one of those is opened, and with the window. */
  readonly graphAlone: boolean;
  /** Layout that the window's size requires instead of `layout`; null if it has room, or the user chose another. */
  readonly fold: 'beside' | 'tabs' | null;
}

export interface PreferencesStore extends Store<Preferences> {
  /**
   * Applies immediately and is stored by the engine soon after. `keys` and `valueTypes` change only the named entries;
   * see {@link SettingsChange}.
   */
  readonly set: (change: Partial<Preferences>) => void;
  readonly change: (change: SettingsChange) => void;
  /** Applies settings announced by the engine, whichever window changed them. */
  readonly receive: (settings: Settings) => void;
  /** Sends changes that could not be sent while the engine was lost. */
  readonly flush: () => Promise<void>;
}

interface PreferencesHost {
  /** Rejects if the engine cannot be reached or could not store the change. */
  readonly write: (change: SettingsChange) => Promise<unknown>;
  readonly report: (error: unknown) => void;
  /** If true, the engine may come back and the change is kept to be sent again. */
  readonly isLost: (error: unknown) => boolean;
}

const DEFAULTS: Preferences = { ...DEFAULT_SETTINGS, detailsPage: 'summary', graphAlone: false, fold: null };

export function createPreferences({ write, report, isLost }: PreferencesHost, initial?: Settings): PreferencesStore {
  const store = createStore<Preferences>({ ...DEFAULTS, ...initial });
  /** The change being sent to the engine. */
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
    set: ({ detailsPage, graphAlone, fold, ...settings }) => {
      if (fold !== undefined) store.set({ fold });
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
