import type { Registration } from '../../state/features.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import { lookCommands } from './look-commands.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { ProfileStatus } from './profile-status.tsx';
import { ProfileTools } from './profile-tools.tsx';
import { profileTabMenu } from './tab-menu.ts';
import { tabViewCommands, viewCommands } from './view-commands.ts';
import { loadPart } from '../../ui/load-part.ts';

export const profile = {
  commands: (workbench, active) => {
    const tab = asProfileTab(active);
    const view = tab?.store.get().activeView ?? null;
    if (tab === null || view === null) return [];
    return [
      ...viewCommands(workbench, view),
      ...lookCommands(workbench, view),
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
  tabs: {
    profile: {
      Panel: ProfilePanel,
      Tools: ProfileTools,
      Status: ProfileStatus,
      menu: profileTabMenu,
    },
  },
} satisfies Registration;
