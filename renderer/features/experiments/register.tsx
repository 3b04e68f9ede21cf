import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';

const CompareFilesDialog = onDemand(() => import('./compare-files-dialog.tsx').then((part) => part.CompareFilesDialog));
const CompareWithDialog = onDemand(() => import('./compare-with-dialog.tsx').then((part) => part.CompareWithDialog));

export const experiments = {
  dialogs: {
    'compare-files': ({ dialog }) => <CompareFilesDialog files={dialog.files} openBoth={dialog.openBoth} />,
    'compare-with': ({ dialog }) => <CompareWithDialog tab={dialog.tab} />,
  },
} satisfies Registration;
