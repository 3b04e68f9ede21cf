import { useLayoutEffect } from 'react';
import type { Settings } from '#core/contract/settings-schema.ts';
import { usePreference } from './appearance.ts';
import type { Preferences, PreferencesStore } from './preferences.ts';
import { useWorkbench } from './workbench-context.ts';

/** In these windows, in CSS pixels, tabs need the room of the library. The styles of the time strip use it, too. */
const SMALL = '(max-width: 1199px), (max-height: 899px)';
/** Not high enough for a table below the graph: it goes next to the graph or, in narrow windows, behind a tab. */
const LOW = '(max-height: 899px) and (min-width: 900px)';
const LOW_AND_NARROW = '(max-height: 899px) and (min-width: 900px) and (max-width: 1199px)';

export type PaneLayout = Settings['layout'] | 'tabs';

/** Folds the window's parts when it becomes small, and unfolds them when it becomes large. Call it once. */
export function useWindowFit(): void {
  const { store, preferences } = useWorkbench();
  useLayoutEffect(() => {
    const queries = [SMALL, LOW, LOW_AND_NARROW].map((query) => matchMedia(query));
    const [small, low, narrow] = queries as [MediaQueryList, MediaQueryList, MediaQueryList];
    const follow = (): void => {
      store.set({ libraryOver: small.matches ? false : null });
      const fold = narrow.matches ? 'tabs' : low.matches ? 'beside' : null;
      if (fold === preferences.get().fold) return;
      // What the user works with is in front.
      const isInTables = (document.activeElement?.closest('.lower-pane') ?? null) !== null;
      preferences.set({ fold, graphAlone: fold === 'tabs' && !isInTables });
    };
    follow();
    for (const query of queries) query.addEventListener('change', follow);
    return () => {
      for (const query of queries) query.removeEventListener('change', follow);
    };
  }, [store, preferences]);
}

/** Returns where the table is: the user's setting, unless the window is too small for it. */
export const paneLayout = ({ fold, layout }: Preferences): PaneLayout => fold ?? layout;

export function usePaneLayout(): PaneLayout {
  const layout = usePreference('layout');
  return usePreference('fold') ?? layout;
}

/** Shows the graph if it is behind a tab. Returns whether it was. */
export function showGraph(preferences: PreferencesStore): boolean {
  const { fold, graphAlone } = preferences.get();
  if (fold !== 'tabs' || graphAlone) return false;
  preferences.set({ graphAlone: true });
  return true;
}

/** Shows a page of the details. */
export const showDetails = (preferences: PreferencesStore, detailsPage: Preferences['detailsPage']): void =>
  preferences.set({ detailsOpen: true, detailsPage });

/** Shows the details, or hides them if they are on screen. */
export function toggleDetails(preferences: PreferencesStore): void {
  const { detailsOpen, graphAlone } = preferences.get();
  preferences.set({ detailsOpen: graphAlone || !detailsOpen });
}

/** Returns the layout that a button and a command offer; choosing one ends the folding of a small window. */
export function otherLayout(layout: PaneLayout): { id: string; name: string; change: Partial<Preferences> } {
  return layout === 'beside'
    ? {
        id: 'layout.stacked',
        name: 'Table below the graph',
        change: { layout: 'stacked', split: 0.62, fold: null, graphAlone: false },
      }
    : {
        id: 'layout.beside',
        name: 'Table next to the graph',
        change: { layout: 'beside', split: 0.55, fold: null, graphAlone: false },
      };
}
