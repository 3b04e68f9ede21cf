import type { Workbench } from './workbench.ts';
import { usePreference } from './appearance.ts';
import { useWorkbench, useWorkbenchState } from './workbench-context.ts';

/** The library is next to the tabs or, if there is no room for both, over them. */
type LibraryPlace = 'beside' | 'over';

/** Returns where the library is shown; null if it is hidden. In a small window it is hidden until requested. */
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
