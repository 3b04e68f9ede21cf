import type { Registration } from '../../state/features.ts';
import { libraryPlace, showLibrary } from '../../state/library-place.ts';
import { asProfileTab, isKeepable } from '../../state/tabs/open-tab.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { LibraryPanel } from './library-panel.tsx';

const TrashDialog = onDemand(() => import('./trash-dialog.tsx').then((part) => part.TrashDialog));

export const library = {
  commands: (workbench, active) => {
    const { store, library: actions, transfers, parts, showDialog } = workbench;
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
      { id: 'library.showTrash', name: 'Trash…', run: () => showDialog({ kind: 'trash' }) },
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
  dialogs: { trash: () => <TrashDialog /> },
  regions: { side: LibraryPanel },
} satisfies Registration;
