import type { OpenTab } from '../state/open-tab.ts';
import { asProfileTab } from '../state/open-tab.ts';
import type { ProfileTab } from '../state/profile-tab.ts';
import { groupOf, MAX_GROUPS } from '../state/tab-layout.ts';
import type { Workbench } from '../state/workbench.ts';
import { tabTitle } from '../state/tab-title.ts';
import { openBeside } from './commands.ts';
import { copyText } from '../ui/copy-text.ts';
import type { MenuGroups, MenuItem } from '../ui/menu/menu.tsx';

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
    compareItems(workbench, profile),
    [
      item('Close', 'tab.close', () => tabs.close(tab.id)),
      ...(others ? [item('Close others', null, () => tabs.closeOthers(tab.id))] : []),
      ...(closed.length > 0 ? [item('Reopen closed tab', 'tab.reopen', tabs.reopen)] : []),
    ],
  ];
}

/** More are in the palette, with all of the library. */
const MOST_COMPARED = 6;

/** The profile as before, another open one as after. */
function compareItems(workbench: Workbench, profile: ProfileTab | null): readonly MenuItem[] {
  if (profile === null) return [];
  const { tabs, captures } = workbench.store.get();
  return tabs
    .flatMap((tab) => (tab === profile ? [] : (asProfileTab(tab) ?? [])))
    .slice(0, MOST_COMPARED)
    .map((other) => ({
      label: `Compare with ${tabTitle(other, captures)}`,
      run: () => {
        const input = workbench.tabs.tabInput;
        workbench.tabs.compare({ before: [input(profile)], after: [input(other)] });
      },
    }));
}
