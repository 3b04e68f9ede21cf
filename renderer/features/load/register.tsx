import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';

const LoadPanel = onDemand(() => import('./load-panel.tsx').then((part) => part.LoadPanel));
const CloseDialog = onDemand(() => import('./close-dialog.tsx').then((part) => part.CloseDialog));

const Nothing = (): null => null;

export const load = {
  commands: ({ tabs }) => [
    { id: 'load.open', name: 'Load tests…', run: () => tabs.openLoad({ page: 'tests', first: '', second: '' }) },
    {
      id: 'experiment.run',
      name: 'Run an experiment…',
      run: () => tabs.openLoad({ page: 'experiment', shown: null }),
    },
  ],
  dialogs: { 'close-load': CloseDialog },
  tabs: { load: { Panel: LoadPanel, Tools: Nothing, Status: Nothing, menu: () => [], stays: true } },
} satisfies Registration;
