import { WorkerFailure } from '../clients/worker-client.ts';

/** The worker of a tab. Each that is started takes the place of the one before. */
export interface TabWorker<Client> {
  readonly client: () => Client | null;
  /** Ends the former worker and starts another. */
  readonly start: () => Client;
  /** Ends the worker at once, whatever it is doing. */
  readonly end: () => void;
  /** Unlike any that this or a former worker of the tab had. */
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

/** Waits for an answer, for ever if the question is outdated or the tab closed: what it asked for is about to be replaced. */
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
