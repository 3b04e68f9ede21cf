import { experimentSchema, type Experiment } from '#core/contract/experiment.ts';
import { EXPERIMENTS_FOLDER } from './captures/files.ts';
import { isIdOf, type FolderDocument } from './document-folders.ts';

export const EXPERIMENTS: FolderDocument<Experiment> = {
  noun: 'experiment',
  idPrefix: 'experiment',
  parent: EXPERIMENTS_FOLDER,
  fileName: 'experiment.json',
  version: 1,
  upgraders: new Map(),
  schema: experimentSchema,
  repair: 'Its captures are in the library, untouched: repair experiment.json, or recreate the experiment.',
  ifMissing: 'It may have been moved to the trash; reload the list.',
  listedBy: ({ changedAt }) => changedAt,
};

export const isExperimentId = (id: string): boolean => isIdOf(EXPERIMENTS, id);
