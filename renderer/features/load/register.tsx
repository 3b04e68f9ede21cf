import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';

const LoadDialog = onDemand(() => import('./load-dialog.tsx').then((part) => part.LoadDialog));

const NONE: readonly File[] = [];

export const load = {
  commands: ({ showDialog }) => [{ id: 'load.open', name: 'Load tests…', run: () => showDialog({ kind: 'load' }) }],
  dialogs: { load: ({ dialog }) => <LoadDialog files={dialog.files ?? NONE} /> },
} satisfies Registration;
