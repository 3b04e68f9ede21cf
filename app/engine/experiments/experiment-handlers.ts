import type { Handlers } from '../rpc.ts';
import type { Experiments } from './experiments.ts';

/** The methods of the contract that are about experiments. */
export function experimentHandlers(
  experiments: Experiments,
): Pick<Handlers, Extract<keyof Handlers, `experiment.${string}`>> {
  return {
    'experiment.list': async () => {
      const { experiments: states, damaged } = await experiments.list();
      return { experiments: [...states], damaged: [...damaged] };
    },
    'experiment.get': ({ id }) => experiments.get(id),
    'experiment.create': (initial) => experiments.create(initial),
    'experiment.change': ({ id, change }) => experiments.change(id, change),
    'experiment.trash': async ({ id }) => {
      await experiments.trash(id);
      return {};
    },
    'experiment.restore': ({ id }) => experiments.restore(id),
  };
}
