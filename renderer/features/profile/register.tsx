import type { Registration, TabMenuItem } from '../../state/features.ts';
import { asProfileTab, isKeepable } from '../../state/tabs/open-tab.ts';
import { displayCommands } from './display-commands.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { ProfileStatus } from './profile-status.tsx';
import { ProfileTools } from './profile-tools.tsx';
import { tabViewCommands, viewCommands } from './view-commands.ts';
import { loadPart } from '../../ui/load-part.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { tabTitle } from '../../state/tab-title.ts';
import type { Workbench } from '../../state/workbench.ts';
import { copyText } from '../../ui/copy-text.ts';

/** Returns the menu of a profile's tab, in groups. */
function profileTabMenu(workbench: Workbench, tab: ProfileTab): TabMenuItem[][] {
  const { transfers, showDialog } = workbench;
  return [
    [
      ...(isKeepable(tab) ? [{ label: 'Keep in the library', id: null, run: () => void transfers.keep(tab) }] : []),
      { label: 'Compare with…', id: 'compare.with', run: () => showDialog({ kind: 'compare-with', tab }) },
      { label: 'Report…', id: 'report.open', run: () => showDialog({ kind: 'report', tab }) },
      { label: 'Copy the file’s name', id: null, run: () => void copyText(tab.source.fileName) },
    ],
    compareItems(workbench, tab),
  ];
}

/** Number of tabs offered for comparison; the palette offers more, and the library. */
const MOST_COMPARED = 6;

/** Returns items that compare the profile, as *before*, with another open one as *after*. */
function compareItems({ store, tabs: actions }: Workbench, profile: ProfileTab): TabMenuItem[] {
  const { tabs, captures } = store.get();
  return tabs
    .flatMap((tab) => (tab === profile ? [] : (asProfileTab(tab) ?? [])))
    .slice(0, MOST_COMPARED)
    .map((other) => ({
      label: `Compare with ${tabTitle(other, captures)}`,
      id: null,
      run: () => actions.compare({ before: [actions.tabInput(profile)], after: [actions.tabInput(other)] }),
    }));
}

export const profile = {
  commands: (workbench, active) => {
    const tab = asProfileTab(active);
    const view = tab?.store.get().activeView ?? null;
    if (tab === null || view === null) return [];
    return [
      ...viewCommands(workbench, view),
      ...displayCommands(workbench, view),
      ...tabViewCommands(workbench, tab),
      {
        id: 'view.copy-command',
        name: 'Copy command that reopens this view',
        run: () => {
          loadPart(() => import('./copy-command.ts'))
            .then((part) => part.copyCommand(workbench, tab))
            .catch(workbench.report);
        },
      },
    ];
  },
  tabs: { profile: { Panel: ProfilePanel, Tools: ProfileTools, Status: ProfileStatus, menu: profileTabMenu } },
} satisfies Registration;
