import type { RecordedSides } from '../recording.ts';
import type { Experiments } from './experiments.ts';

/** Makes an experiment of what was recorded, or adds it to the one that it was recorded for. Resolves with its id. */
export const keepSides =
  (experiments: Experiments) =>
  async ({ experimentId, name, before, after }: RecordedSides): Promise<string> => {
    const put = { before: before.map(({ id }) => ({ id })), after: after.map(({ id }) => ({ id })) };
    const kept =
      experimentId === null
        ? await experiments.create({ name, ...put })
        : await experiments.change(experimentId, { before: { put: put.before }, after: { put: put.after } });
    return kept.experiment.id;
  };
