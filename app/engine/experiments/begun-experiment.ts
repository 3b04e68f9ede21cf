import { EngineFailure } from '../failure.ts';
import { isExperimentId } from '../library/experiment-document.ts';
import type { Experiments } from './experiments.ts';

/**
 * Returns the ID of the only experiment whose ID begins with a word of a command line; the word itself if it is an ID,
 * or begins none. Rejects if it begins several.
 */
export async function begunExperiment(experiments: Pick<Experiments, 'list'>, word: string): Promise<string> {
  if (!isExperimentId(word)) return word;
  const ids = (await experiments.list()).experiments.map(({ experiment }) => experiment.id);
  const [first, ...others] = ids.filter((id) => id.startsWith(word));
  if (first === undefined || ids.includes(word)) return word;
  if (others.length === 0) return first;
  const some = [first, ...others].slice(0, 5).join(', ');
  throw new EngineFailure('ambiguous', `${word} could be ${some}; give the id.`);
}
