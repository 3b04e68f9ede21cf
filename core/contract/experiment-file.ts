/** File name suffix of exported experiments. */
export const EXPERIMENT_FILE_ENDING = '.flamebench-experiment';

/** File managers truncate longer names. */
const MAX_NAME = 80;

/** Returns the file name for an exported experiment; it is valid on every system. */
export function experimentFileName(experimentName: string): string {
  const name = experimentName
    .replaceAll(/[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, '-')
    .replaceAll(/^[.\s-]+|[.\s]+$/g, '');
  return `${Array.from(name).slice(0, MAX_NAME).join('') || 'experiment'}${EXPERIMENT_FILE_ENDING}`;
}
