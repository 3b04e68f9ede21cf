import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';

const RunDialog = onDemand(() => import('./run-dialog.tsx').then((part) => part.RunDialog));

export const loadExperiment = {
  commands: ({ showDialog }) => [
    {
      id: 'experiment.run',
      name: 'Run an experiment…',
      run: () => showDialog({ kind: 'load-experiment', shown: null }),
    },
  ],
  dialogs: { 'load-experiment': ({ dialog }) => <RunDialog key={dialog.shown} shown={dialog.shown} /> },
} satisfies Registration;
