import type { CompareStep } from '#core/compare/progress.ts';
import type { CompareMessage, CompareMethods, CompareRequest } from '../../analysis/compare-methods.ts';
import { createWorkerClient } from './profile-client.ts';
import type { WorkerClient, WorkerPort } from './profile-client.ts';

/** One comparison's worker. */
export type CompareClient = WorkerClient<CompareMethods>;

export interface CompareClientEvents {
  onProgress(readBytes: number, totalBytes: number | null): void;
  /** `done`: 0 to 1 of the whole comparison. */
  onStep(step: CompareStep, done: number): void;
}

export function createCompareClient(
  worker: WorkerPort<CompareRequest, CompareMessage>,
  events: CompareClientEvents,
): CompareClient {
  return createWorkerClient<CompareMethods, CompareMessage>(
    worker,
    (message) => {
      if (message.kind === 'progress') events.onProgress(message.readBytes, message.totalBytes);
      else if (message.kind === 'step') events.onStep(message.step, message.done);
    },
    {
      message: 'The reader of this comparison stopped unexpectedly.',
      remedy: 'Compare again with fewer captures, or with a part of their time.',
    },
  );
}
