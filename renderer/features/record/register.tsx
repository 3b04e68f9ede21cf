import { LOCAL_TARGET } from '#core/contract/target.ts';
import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';

const RecordDialog = onDemand(() => import('./record-dialog.tsx').then((part) => part.RecordDialog));
const RecordingDialog = onDemand(() => import('./recording-dialog.tsx').then((part) => part.RecordingDialog));

export const record = {
  commands: ({ showDialog }) => [{ id: 'record.show', name: 'Record…', run: () => showDialog({ kind: 'record' }) }],
  dialogs: {
    record: ({ dialog }) => (
      <RecordDialog
        purpose={dialog.purpose ?? { kind: 'library' }}
        repeat={dialog.repeat ?? 1}
        targets={dialog.targets ?? [LOCAL_TARGET]}
        initial={dialog.initial ?? null}
      />
    ),
    recording: ({ dialog }) => <RecordingDialog recordingId={dialog.recordingId} />,
  },
} satisfies Registration;
