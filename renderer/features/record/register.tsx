import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';

const RecordDialog = onDemand(() => import('./record-dialog.tsx').then((part) => part.RecordDialog));
const OpenUrlDialog = onDemand(() => import('./open-url-dialog.tsx').then((part) => part.OpenUrlDialog));
const RecordingDialog = onDemand(() => import('./recording-dialog.tsx').then((part) => part.RecordingDialog));

export const record = {
  commands: ({ showDialog }) => [
    { id: 'record.show', name: 'Record…', run: () => showDialog({ kind: 'record' }) },
    { id: 'url.open', name: 'Open a URL…', run: () => showDialog({ kind: 'open-url' }) },
  ],
  dialogs: {
    record: ({ dialog }) => (
      <RecordDialog
        purpose={dialog.purpose ?? { kind: 'library' }}
        repeat={dialog.repeat ?? 1}
        targets={dialog.targets ?? [LOCAL_TARGET]}
        initial={dialog.initial ?? null}
      />
    ),
    'open-url': () => <OpenUrlDialog />,
    recording: ({ dialog }) => <RecordingDialog recordingId={dialog.recordingId} />,
  },
} satisfies Registration;
