import type { OpenTab } from '../state/open-tab.ts';
import { asProfileTab } from '../state/open-tab.ts';
import { groupOf, MAX_GROUPS } from '../state/tab-layout.ts';
import type { Workbench } from '../state/workbench.ts';
import { openBeside } from './commands.ts';
import { copyText } from './copy-text.ts';
import type { MenuGroups, MenuItem } from './menu.tsx';

/** What can be done with a tab. `keysOf`: the keys of a command, for those that have some. */
export function tabMenu(workbench: Workbench, tab: OpenTab, keysOf: (id: string) => string | null): MenuGroups {
  const { store, tabs, transfers, experiments, showDialog } = workbench;
  const { layout, closed } = store.get();
  const group = groupOf(layout, tab.id);
  const others = (group?.tabs.length ?? 0) > 1;
  const item = (label: string, id: string | null, run: () => void): MenuItem => {
    const hint = id === null ? null : keysOf(id);
    return hint === null ? { label, run } : { label, hint, run };
  };
  const profile = asProfileTab(tab);
  const keepable = profile !== null && profile.source.readFile !== null && profile.store.get().captureId === null;
  return [
    [
      ...((others && layout.groups.length < MAX_GROUPS) || layout.groups.length > 1
        ? [item('Open beside', 'tab.beside', () => openBeside(workbench, tab.id))]
        : []),
      ...(keepable ? [item('Keep in the library', null, () => void transfers.keep(profile))] : []),
      ...(profile === null
        ? []
        : [item('Compare with…', 'compare.with', () => showDialog({ kind: 'compare-with', tab: profile }))]),
      ...(tab.kind === 'compare' ? [item('Swap sides', 'compare.swap', tab.swap)] : []),
      ...(tab.kind === 'compare' && tab.store.get().experimentId === null
        ? [item('Save as experiment', 'compare.save', () => void experiments.save(tab))]
        : []),
      ...(profile === null ? [] : [item('Copy the file’s name', null, () => void copyText(profile.source.fileName))]),
    ],
    [
      item('Close', 'tab.close', () => tabs.close(tab.id)),
      ...(others ? [item('Close others', null, () => tabs.closeOthers(tab.id))] : []),
      ...(closed.length > 0 ? [item('Reopen closed tab', 'tab.reopen', tabs.reopen)] : []),
    ],
  ];
}
