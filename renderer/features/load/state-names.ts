import type { LoadAnswer } from '#core/contract/load/methods.ts';

/** States of a load test; `file`: of a file that was opened. */
export const STATE_NAMES: Readonly<Record<LoadAnswer<'list'>['tests'][number]['state'] | 'file', string>> = {
  running: 'Running',
  interrupted: 'Interrupted',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
  file: 'File',
};
