import { EXPERIMENT_FILE_ENDING } from '#core/contract/experiment.ts';

/** What the file of an experiment is called. The browser takes out what its system does not take. */
export const bundleName = (name: string): string =>
  `${Array.from(name.replaceAll(/[\\/:*?"<>|\u0000-\u001f]+/g, '-'))
    .slice(0, 80)
    .join('')}${EXPERIMENT_FILE_ENDING}`;
