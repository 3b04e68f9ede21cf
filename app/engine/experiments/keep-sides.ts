import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { RecordedSides } from '../recording/recording.ts';
import type { Experiments } from './experiments.ts';

/**
 * Makes an experiment of what was recorded, or adds it to the one that it was recorded for. Resolves with its id. A command that ran to its
 * end served one request, so that its runs compare by what each took in all: per second, one that takes twice as long is the same.
 */
export const keepSides =
  (experiments: Experiments) =>
  async ({ experimentId, name, before, after, wholeRuns }: RecordedSides): Promise<string> => {
    const toCapture = ({ id }: CaptureDocument) => (wholeRuns.includes(id) ? { id, requests: 1 } : { id });
    const put = { before: before.map(toCapture), after: after.map(toCapture) };
    const kept =
      experimentId === null
        ? await experiments.create({ name, ...put })
        : await experiments.change(experimentId, { before: { put: put.before }, after: { put: put.after } });
    return kept.experiment.id;
  };
