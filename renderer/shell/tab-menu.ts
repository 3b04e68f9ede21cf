import type { TabMenuItem } from '../state/features.ts';
import type { OpenTab } from '../state/open-tab.ts';
import { groupOf, MAX_GROUPS } from '../state/tab-layout.ts';
import type { Workbench } from '../state/workbench.ts';
import { openBeside } from './commands.ts';
import type { MenuGroups } from '../ui/menu/menu.tsx';

/** What can be done with a tab: `own` is what its kind adds. `keysOf`: the keys of a command, for those that have some. */
export function tabMenu(
  workbench: Workbench,
  tab: OpenTab,
  [first = [], ...more]: readonly (readonly TabMenuItem[])[],
  keysOf: (id: string) => string | null,
): MenuGroups {
  const { store, tabs } = workbench;
  const { layout, closed } = store.get();
  const others = (groupOf(layout, tab.id)?.tabs.length ?? 0) > 1;
  const item = (label: string, id: string | null, run: () => void): TabMenuItem => ({ label, id, run });
  const groups: readonly (readonly TabMenuItem[])[] = [
    [
      ...((others && layout.groups.length < MAX_GROUPS) || layout.groups.length > 1
        ? [item('Open to the side', 'tab.beside', () => openBeside(workbench, tab.id))]
        : []),
      ...first,
    ],
    ...more,
    [
      item('Close', 'tab.close', () => tabs.close(tab.id)),
      ...(others ? [item('Close others', null, () => tabs.closeOthers(tab.id))] : []),
      ...(closed.length > 0 ? [item('Reopen closed tab', 'tab.reopen', tabs.reopen)] : []),
    ],
  ];
  return groups.map((items) =>
    items.map(({ label, id, run }) => {
      const hint = id === null ? null : keysOf(id);
      return hint === null ? { label, run } : { label, hint, run };
    }),
  );
}
