import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { targetCommands } from './target-commands.ts';

const AddTargetDialog = onDemand(() => import('./add-target-dialog.tsx').then((part) => part.AddTargetDialog));
const ConnectDialog = onDemand(() => import('./connect-dialog.tsx').then((part) => part.ConnectDialog));
const DoctorDialog = onDemand(() => import('./doctor-dialog.tsx').then((part) => part.DoctorDialog));
const RenameTargetDialog = onDemand(() => import('./rename-target-dialog.tsx').then((part) => part.RenameTargetDialog));

export const targets = {
  commands: targetCommands,
  dialogs: {
    'add-target': () => <AddTargetDialog />,
    connect: ({ dialog }) => <ConnectDialog target={dialog.target} />,
    doctor: ({ dialog }) => <DoctorDialog key={dialog.target} target={dialog.target} />,
    'rename-target': ({ dialog }) => <RenameTargetDialog row={dialog.row} />,
  },
} satisfies Registration;
