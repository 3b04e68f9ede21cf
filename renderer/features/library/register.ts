import type { Registration } from '../../state/features.ts';
import { libraryPlace, showLibrary } from '../../state/library-place.ts';
import { asProfileTab, isKeepable } from '../../state/open-tab.ts';
import { LibraryPanel } from './library-panel.tsx';

export const library = {
  commands: (workbench, active) => {
    const { store, library: actions, transfers, parts } = workbench;
    const shown = libraryPlace(workbench) !== null;
    const profile = asProfileTab(active);
    return [
      {
        id: 'library.toggle',
        name: shown ? 'Hide the library' : 'Show the library',
        run: () => showLibrary(workbench, !shown),
      },
      {
        id: 'library.focus',
        name: 'Go to the library',
        run: () => {
          showLibrary(workbench, true);
          requestAnimationFrame(() => parts.focus('library'));
        },
      },
      ...(profile !== null && isKeepable(profile)
        ? [{ id: 'tab.keep', name: 'Keep this file in the library', run: () => void transfers.keep(profile) }]
        : []),
      ...(store.get().captures ?? []).map(({ id, name }) => ({
        id: `capture.${id}`,
        name: `Open capture ${name}`,
        run: () => void actions.open([id]),
      })),
    ];
  },
  regions: { side: LibraryPanel },
} satisfies Registration;
