import type { Registration } from '../../state/features.ts';
import type { Command } from '../../state/command.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { asAnalysedTab, type AnalysedTab } from '../../state/tabs/open-tab.ts';
import type { Workbench } from '../../state/workbench.ts';
import { copyText } from '../../ui/copy-text.ts';
import { loadPart } from '../../ui/load-part.ts';
import type * as copyReport from './copy-report.ts';

const ReportDialog = onDemand(() => import('./report-dialog.tsx').then((part) => part.ReportDialog));
const LoadReportDialog = onDemand(() => import('./report-dialog.tsx').then((part) => part.LoadReportDialog));

/** Returns the commands that report on or copy the active tab. */
function reportCommands(workbench: Workbench, tab: AnalysedTab | null): Command[] {
  if (tab === null || !isReady(tab)) return [];
  const run = (act: (part: typeof copyReport) => Promise<void>) => (): void => {
    loadPart(() => import('./copy-report.ts'))
      .then(act)
      .catch(workbench.report);
  };
  const copy = (format: 'md' | 'png' | 'svg') => run((part) => part.copyReport(workbench, tab, format, copyText));
  const save = (format: 'png' | 'svg') => run((part) => part.saveGraph(workbench, tab, format));
  return [
    { id: 'report.open', name: 'Report…', run: () => workbench.showDialog({ kind: 'report', tab }) },
    { id: 'report.copy-markdown', name: 'Copy summary as Markdown', run: copy('md') },
    { id: 'report.save-png', name: 'Save graph as PNG', run: save('png') },
    { id: 'report.save-svg', name: 'Save graph as SVG', run: save('svg') },
    { id: 'report.copy-png', name: 'Copy graph as PNG', run: copy('png') },
    { id: 'report.copy-svg', name: 'Copy graph as SVG', run: copy('svg') },
  ];
}

function isReady(tab: AnalysedTab): boolean {
  return tab.kind === 'compare' ? tab.store.get().analysis !== null : tab.store.get().activeView !== null;
}

export const reports = {
  commands: (workbench, active) => reportCommands(workbench, asAnalysedTab(active)),
  dialogs: {
    report: ({ dialog }) => <ReportDialog key={dialog.tab.id} tab={dialog.tab} />,
    'report-load': ({ dialog }) => <LoadReportDialog loads={dialog.loads} />,
  },
} satisfies Registration;
