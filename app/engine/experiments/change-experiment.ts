import {
  MAX_SIDE_CAPTURES,
  type Experiment,
  type ExperimentChange,
  type ExperimentSide,
  type ExperimentSideChange,
} from '#core/contract/experiment.ts';
import { EngineFailure } from '../failure.ts';
import { cleanName } from '../library/capture-files.ts';

/** An experiment with a change carried out. `names`: of the captures that are put, by id. */
export function changeExperiment(
  experiment: Experiment,
  change: ExperimentChange,
  names: ReadonlyMap<string, string>,
): Experiment {
  const before = changeSide(experiment.before, change.before ?? {}, names);
  const after = changeSide(experiment.after, change.after ?? {}, names);
  const { options = {} } = change;
  return {
    ...experiment,
    ...(change.name === undefined ? {} : { name: cleanName(change.name) }),
    ...(change.notes === undefined ? {} : { notes: change.notes }),
    before: change.swap === true ? after : before,
    after: change.swap === true ? before : after,
    options: {
      normalisation: options.normalisation === undefined ? experiment.options.normalisation : options.normalisation,
      rules: options.rules ?? experiment.options.rules,
      transforms: options.transforms ?? experiment.options.transforms,
    },
  };
}

/** A capture counts once on a side: twice it would pass for two runs. */
function changeSide(
  side: ExperimentSide,
  { put = [], remove = [], ...choice }: ExperimentSideChange,
  names: ReadonlyMap<string, string>,
): ExperimentSide {
  const byId = new Map(side.captures.map((capture) => [capture.id, capture]));
  for (const id of remove) byId.delete(id);
  for (const { id, requests } of put) {
    const known = byId.get(id)?.requests ?? null;
    byId.set(id, { id, name: names.get(id) ?? id, requests: requests === undefined ? known : requests });
  }
  if (byId.size > MAX_SIDE_CAPTURES) {
    throw new EngineFailure(
      'too-many',
      `A side of an experiment has at most ${MAX_SIDE_CAPTURES} captures.`,
      'Remove some, or create another experiment.',
    );
  }
  return { ...side, ...choice, captures: [...byId.values()] };
}
