import type { RecordingStatus } from '#core/contract/schemas.ts';

export const STATE_NAMES: Readonly<Record<RecordingStatus['state'], string>> = {
  preparing: 'Preparing',
  recording: 'Recording',
  stopping: 'Stopping',
  finished: 'Finished',
  failed: 'Failed',
  cancelled: 'Discarded',
};
