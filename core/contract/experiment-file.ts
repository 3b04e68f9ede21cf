/** How the names of exported experiments end. */
export const EXPERIMENT_FILE_ENDING = '.flamebench-experiment';

/** Beyond this, file managers show the end only. */
const MAX_NAME = 80;

/** Name of the file that an experiment of this name is exported to: one that every system takes. */
export function experimentFileName(experimentName: string): string {
  const name = experimentName
    .replaceAll(/[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, '-')
    .replaceAll(/^[.\s-]+|[.\s]+$/g, '');
  return `${Array.from(name).slice(0, MAX_NAME).join('') || 'experiment'}${EXPERIMENT_FILE_ENDING}`;
}
