import './graphs/graphs.css';
import './panels/panels.css';
import './sides/captures.css';
import './matching/matching.css';
import './table/facts.css';
import './view.css';
import type { Registration, TabMenuItem } from '../../state/features.ts';
import type { Command } from '../../state/command.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { asCompareTab, asProfileTab } from '../../state/tabs/open-tab.ts';
import { openGuide } from '../../state/sample-pairs.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import type { Workbench } from '../../state/workbench.ts';
import { compareCommands, compareWithCommands } from './commands.ts';
import { loadPart } from '../../ui/load-part.ts';

const ComparePanel = onDemand(() => import('./panels/compare-panel.tsx').then((part) => part.ComparePanel));
const CompareTools = onDemand(() => import('./tools.tsx').then((part) => part.CompareTools));
const CompareStatus = onDemand(() => import('./status.tsx').then((part) => part.CompareStatus));

export const compare = {
  commands: (workbench, active) => {
    const comparison = asCompareTab(active);
    const profile = asProfileTab(active);
    return [
      {
        id: 'guide.open',
        name: 'First minute: a guided comparison of two samples',
        run: () => openGuide(workbench.store.get(), workbench.experiments),
      },
      ...(comparison === null ? [] : [...compareCommands(workbench, comparison), copyCommand(workbench, comparison)]),
      ...(profile === null ? [] : compareWithCommands(workbench, profile)),
    ];
  },
  tabs: { compare: { Panel: ComparePanel, Tools: CompareTools, Status: CompareStatus, menu: compareTabMenu } },
} satisfies Registration;

const copyCommand = (workbench: Workbench, tab: CompareTab): Command => ({
  id: 'view.copy-command',
  name: 'Copy command that reopens this comparison',
  run: () => {
    loadPart(() => import('./copy-command.ts'))
      .then((part) => part.copyCompareCommand(workbench, tab))
      .catch(workbench.report);
  },
});

function compareTabMenu({ experiments, showDialog }: Workbench, tab: CompareTab): TabMenuItem[][] {
  const save = { label: 'Save as experiment', id: 'compare.save', run: () => void experiments.save(tab) };
  return [
    [
      { label: 'Swap sides', id: 'compare.swap', run: tab.swap },
      ...(tab.store.get().experimentId === null ? [save] : []),
      { label: 'Report…', id: 'report.open', run: () => showDialog({ kind: 'report', tab }) },
    ],
  ];
}
