import { WorkerFailure } from '../clients/worker-client.ts';

/** The worker of a tab. Starting a worker replaces the previous one. */
interface TabWorker<Client> {
  readonly client: () => Client | null;
  /** Terminates the current worker and starts another. */
  readonly start: () => Client;
  /** Terminates the worker immediately. */
  readonly end: () => void;
  /** Returns a number that no worker of this tab has had. */
  readonly nextRevision: () => number;
}

export function createTabWorker<Client extends { dispose(): void }>(start: () => Client): TabWorker<Client> {
  let client: Client | null = null;
  let revision = 0;
  const end = (): void => {
    client?.dispose();
    client = null;
  };
  return {
    client: () => client,
    start: () => {
      end();
      client = start();
      return client;
    },
    end,
    nextRevision: () => (revision += 1),
  };
}

/**
 * Awaits an answer. Never resolves if the question is outdated or the tab closed, since the result is about to be
 * replaced.
 */
export async function unlessOutdated<T>(answer: Promise<T> | undefined): Promise<T> {
  if (answer === undefined) return never();
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WorkerFailure && ['stale', 'cancelled'].includes(error.failure.code)) return never();
    throw error;
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
