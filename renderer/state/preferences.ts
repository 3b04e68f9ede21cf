import { createStore } from './store.ts';
import type { Store } from './store.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Layout = 'stacked' | 'beside';

/** How the user likes the window; kept per browser profile where storage allows. */
export interface Preferences {
  readonly theme: ThemeChoice;
  readonly layout: Layout;
  /** Share of the height (stacked) or width (beside) that the graph takes. */
  readonly split: number;
  readonly sidebarPx: number;
  readonly detailsPx: number;
  readonly detailsOpen: boolean;
  /** Begins with the details at each start. */
  readonly detailsPage: 'details' | 'diagnostics';
}

const STORAGE_KEY = 'flamebench-preferences';

const DEFAULTS: Preferences = {
  theme: 'system',
  layout: 'stacked',
  split: 0.62,
  sidebarPx: 232,
  detailsPx: 320,
  detailsOpen: true,
  detailsPage: 'details',
};

export function createPreferences(storage: Pick<Storage, 'getItem' | 'setItem'>): Store<Preferences> {
  const store = createStore<Preferences>({ ...DEFAULTS, ...readPreferences(storage.getItem(STORAGE_KEY)) });
  store.subscribe(() => {
    storage.setItem(STORAGE_KEY, JSON.stringify(store.get()));
  });
  return store;
}

/** What of the stored text is usable; anything else falls back to the defaults. */
export function readPreferences(text: string | null): Partial<Preferences> {
  if (text === null) return {};
  let stored: Record<string, unknown>;
  try {
    stored = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
  const number = (key: string, low: number, high: number) => {
    const value = stored[key];
    return typeof value === 'number' && value >= low && value <= high ? { [key]: value } : {};
  };
  return {
    ...(stored['theme'] === 'light' || stored['theme'] === 'dark' ? { theme: stored['theme'] } : {}),
    ...(stored['layout'] === 'beside' ? { layout: 'beside' } : {}),
    ...(typeof stored['detailsOpen'] === 'boolean' ? { detailsOpen: stored['detailsOpen'] } : {}),
    ...number('split', 0.1, 0.9),
    ...number('sidebarPx', 160, 480),
    ...number('detailsPx', 220, 700),
  };
}
