import type { ProfileTab } from '../state/profile-tab.ts';
import { groupOf, MAX_GROUPS } from '../state/tab-layout.ts';
import type { Workbench } from '../state/workbench.ts';
import { openBeside } from './commands.ts';
import { copyText } from './copy-text.ts';
import type { MenuGroups, MenuItem } from './menu.tsx';

/** What can be done with a tab. `keysOf`: the keys of a command, for those that have some. */
export function tabMenu(workbench: Workbench, tab: ProfileTab, keysOf: (id: string) => string | null): MenuGroups {
  const { store, tabs, transfers } = workbench;
  const { layout, closed } = store.get();
  const group = groupOf(layout, tab.id);
  const others = (group?.tabs.length ?? 0) > 1;
  const item = (label: string, id: string | null, run: () => void): MenuItem => {
    const hint = id === null ? null : keysOf(id);
    return hint === null ? { label, run } : { label, hint, run };
  };
  const keepable = tab.source.readFile !== null && tab.store.get().captureId === null;
  return [
    [
      ...((others && layout.groups.length < MAX_GROUPS) || layout.groups.length > 1
        ? [item('Open beside', 'tab.beside', () => openBeside(workbench, tab.id))]
        : []),
      ...(keepable ? [item('Keep in the library', null, () => void transfers.keep(tab))] : []),
      item('Copy the file’s name', null, () => void copyText(tab.source.fileName)),
    ],
    [
      item('Close', 'tab.close', () => tabs.close(tab.id)),
      ...(others ? [item('Close others', null, () => tabs.closeOthers(tab.id))] : []),
      ...(closed.length > 0 ? [item('Reopen closed tab', 'tab.reopen', tabs.reopen)] : []),
    ],
  ];
}
