import { EngineFailure } from '../failure.ts';
import type { FileHandles } from '../files/file-handles.ts';
import { fileSource } from '../files/file-source.ts';
import type { Library } from '../library/library.ts';
import { done, type Handlers } from '../http/rpc.ts';
import type { Experiments } from '../experiments/experiments.ts';
import { importBundle } from '../experiments/import-bundle.ts';

interface ExperimentParts {
  readonly library: Library;
  readonly experiments: Experiments;
  readonly fileHandles: FileHandles;
}

/** Returns the contract's methods for experiments. */
export function experimentHandlers({
  library,
  experiments,
  fileHandles,
}: ExperimentParts): Pick<Handlers, Extract<keyof Handlers, `experiment.${string}`>> {
  return {
    'experiment.list': async () => {
      const { experiments: states, damaged } = await experiments.list();
      return { experiments: [...states], damaged: [...damaged] };
    },
    'experiment.get': ({ id }) => experiments.get(id),
    'experiment.create': (initial) => experiments.create(initial),
    'experiment.change': ({ id, change }) => experiments.change(id, change),
    'experiment.import': ({ handle }) => {
      const file = fileHandles.take(handle);
      if (file === null || !('path' in file)) {
        throw new EngineFailure(
          'handle-used',
          'This file was already read, or the request has expired.',
          'Open it again.',
        );
      }
      return importBundle(library, experiments, fileSource(file.path).chunks());
    },
    'experiment.trash': ({ id }) => done(experiments.trash(id)),
    'experiment.restore': ({ id }) => experiments.restore(id),
  };
}
