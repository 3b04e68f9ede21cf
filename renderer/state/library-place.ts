import { useLayoutEffect } from 'react';
import type { Workbench } from './workbench.ts';
import { usePreference } from './look.ts';
import { useWorkbench, useWorkbenchState } from './workbench-context.ts';

/** CSS pixels under which tabs need all of the width: 200 % zoom of a window of 1,600. */
const NARROW = '(max-width: 800px)';

/** Beside the tabs, or, where there is no room for both, over them. */
export type LibraryPlace = 'beside' | 'over';

/** Where the library shows; null: it is hidden. In a narrow window it is hidden until it is asked for. */
export function libraryPlace({ store, preferences }: Workbench): LibraryPlace | null {
  const over = store.get().libraryOver;
  if (over === null) return preferences.get().sidebarOpen ? 'beside' : null;
  return over ? 'over' : null;
}

export function showLibrary({ store, preferences }: Workbench, shown: boolean): void {
  if (store.get().libraryOver === null) preferences.set({ sidebarOpen: shown });
  else store.set({ libraryOver: shown });
}

export function useLibraryPlace(): LibraryPlace | null {
  const workbench = useWorkbench();
  useWorkbenchState((state) => state.libraryOver);
  usePreference('sidebarOpen');
  return libraryPlace(workbench);
}

/** Follows the width of the window. Called once. */
export function useNarrowWindow(): void {
  const { store } = useWorkbench();
  useLayoutEffect(() => {
    const narrow = matchMedia(NARROW);
    const follow = (): void => {
      store.set({ libraryOver: narrow.matches ? false : null });
    };
    follow();
    narrow.addEventListener('change', follow);
    return () => {
      narrow.removeEventListener('change', follow);
    };
  }, [store]);
}
