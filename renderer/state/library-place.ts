import { useLayoutEffect } from 'react';
import type { Workbench } from './workbench.ts';
import { usePreference } from './look.ts';
import { useWorkbench, useWorkbenchState } from './workbench-context.ts';

/** Up to this width in CSS pixels, tabs need the whole window. */
const NARROW = '(max-width: 699px)';

/** The library is next to the tabs or, if there is no room for both, over them. */
type LibraryPlace = 'beside' | 'over';

/** Returns where the library is shown; null if it is hidden. In a narrow window it is hidden until requested. */
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

/** Tracks whether the window is narrow. Call it once. */
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
