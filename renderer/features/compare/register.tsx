import './compare-graphs.css';
import './compare-panels.css';
import './captures-panel.css';
import './matching-panel.css';
import './delta-facts.css';
import './compare-view.css';
import type { Registration, TabMenuItem } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { asCompareTab, asProfileTab } from '../../state/open-tab.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import type { Workbench } from '../../state/workbench.ts';
import { compareCommands, compareWithCommands } from './compare-commands.ts';

const ComparePanel = onDemand(() => import('./compare-panel.tsx').then((part) => part.ComparePanel));
const CompareTools = onDemand(() => import('./compare-tools.tsx').then((part) => part.CompareTools));
const CompareStatus = onDemand(() => import('./compare-status.tsx').then((part) => part.CompareStatus));

export const compare = {
  commands: (workbench, active) => {
    const comparison = asCompareTab(active);
    const profile = asProfileTab(active);
    return [
      ...(comparison === null ? [] : compareCommands(workbench, comparison)),
      ...(profile === null ? [] : compareWithCommands(workbench, profile)),
    ];
  },
  tabs: { compare: { Panel: ComparePanel, Tools: CompareTools, Status: CompareStatus, menu: compareTabMenu } },
} satisfies Registration;

function compareTabMenu({ experiments }: Workbench, tab: CompareTab): TabMenuItem[][] {
  const save = { label: 'Save as experiment', id: 'compare.save', run: () => void experiments.save(tab) };
  return [
    [
      { label: 'Swap sides', id: 'compare.swap', run: tab.swap },
      ...(tab.store.get().experimentId === null ? [save] : []),
    ],
  ];
}
