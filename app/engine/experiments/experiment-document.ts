import { experimentSchema, type Experiment } from '#core/contract/experiment.ts';
import { parseVersioned, refuseInvalid, type DocumentKind } from '../library/versioned-document.ts';

export const EXPERIMENT_FILE = 'experiment.json';
export const EXPERIMENT_VERSION = 1;

/** No upgraders yet: 1 is the first version. */
const EXPERIMENT_DOCUMENT: DocumentKind = {
  fileName: EXPERIMENT_FILE,
  version: EXPERIMENT_VERSION,
  upgraders: new Map(),
  repair: 'Its captures are in the library, untouched: repair experiment.json, or recreate the experiment.',
};

/** Other Flamebench versions and folders that are no experiments keep their names out of this form. */
const ID_PATTERN = /^experiment-[a-z0-9][a-z0-9-]{0,60}$/;

/** Ids of experiments are told from those of captures by how they begin. */
export const isExperimentId = (id: string): boolean => ID_PATTERN.test(id);

/** Reads the text of an `experiment.json`; throws a DamagedDocument. */
export function parseExperiment(text: string): Experiment {
  const parsed = experimentSchema.safeParse(parseVersioned(text, EXPERIMENT_DOCUMENT));
  if (!parsed.success) refuseInvalid(EXPERIMENT_DOCUMENT, parsed.error.issues[0]);
  return parsed.data;
}

export const experimentText = (experiment: Experiment): string => `${JSON.stringify(experiment, null, 2)}\n`;
