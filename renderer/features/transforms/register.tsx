import type { ReactElement } from 'react';
import type { Registration } from '../../state/features.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { OpenDialog } from '../../state/workbench-state.ts';
import { transformCommands } from './commands.ts';

const ExportDialog = onDemand(() => import('./export-dialog.tsx').then((part) => part.ExportDialog));
const TransformDialog = onDemand(() => import('./dialog.tsx').then((part) => part.TransformDialog));

function Transform({ dialog }: { dialog: Extract<OpenDialog, { kind: 'transform' }> }): ReactElement {
  const { showDialog } = useWorkbench();
  return <TransformDialog draft={dialog.draft} onClose={() => showDialog(null)} />;
}

function Export({ dialog }: { dialog: Extract<OpenDialog, { kind: 'export' }> }): ReactElement {
  const { showDialog } = useWorkbench();
  return <ExportDialog tab={dialog.tab} view={dialog.view} onClose={() => showDialog(null)} />;
}

export const transforms = {
  commands: (workbench, active) => {
    const tab = asProfileTab(active);
    const view = tab?.store.get().activeView ?? null;
    return tab === null || view === null ? [] : transformCommands(workbench, tab, view);
  },
  dialogs: { transform: Transform, export: Export },
} satisfies Registration;
