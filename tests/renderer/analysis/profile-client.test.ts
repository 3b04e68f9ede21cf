import { describe, expect, it } from 'vitest';
import { createProfileClient, WorkerFailure } from '../../../renderer/state/clients/worker-client.ts';
import type { WorkerPort } from '../../../renderer/state/clients/worker-client.ts';
import type { WorkerMessage, WorkerRequest } from '../../../renderer/analysis/methods.ts';

function fakeWorker() {
  const sent: WorkerRequest[] = [];
  const port: WorkerPort & { terminated: boolean } = {
    terminated: false,
    onmessage: null,
    onerror: null,
    postMessage: (message) => sent.push(message),
    terminate: () => {
      port.terminated = true;
    },
  };
  const say = (data: WorkerMessage): void => port.onmessage?.({ data } as MessageEvent<WorkerMessage>);
  return { port, sent, say };
}

const quiet = { onFormats: () => undefined, onProgress: () => undefined };

describe('createProfileClient', () => {
  it('matches answers to requests', async () => {
    const { port, sent, say } = fakeWorker();
    const client = createProfileClient(port, quiet);
    const first = client.call('heaviest', { revision: 1, func: 1 as never });
    const second = client.call('heaviest', { revision: 1, func: 2 as never });
    say({ kind: 'done', id: sent[1]!.id, result: 22 });
    say({ kind: 'done', id: sent[0]!.id, result: 11 });
    expect(await Promise.all([first, second])).toEqual([11, 22]);
  });

  it('returns failures as data', async () => {
    const { port, sent, say } = fakeWorker();
    const asked = createProfileClient(port, quiet).call('heaviest', { revision: 1, func: 1 as never });
    const failure = { code: 'malformed', message: 'cut', location: { line: 3 }, remedy: null, details: null };
    say({ kind: 'failed', id: sent[0]!.id, failure });
    await expect(asked).rejects.toMatchObject({ failure });
  });

  it('cancels immediately: terminates the worker, whatever it is doing', async () => {
    const { port } = fakeWorker();
    const client = createProfileClient(port, quiet);
    const asked = client.call('heaviest', { revision: 1, func: 1 as never });
    client.dispose();
    expect(port.terminated).toBe(true);
    await expect(asked).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await expect(client.call('heaviest', { revision: 1, func: 1 as never })).rejects.toBeInstanceOf(WorkerFailure);
  });

  it('reports that the worker died', async () => {
    const { port } = fakeWorker();
    const asked = createProfileClient(port, quiet).call('heaviest', { revision: 1, func: 1 as never });
    port.onerror?.({ message: 'out of memory' } as ErrorEvent);
    await expect(asked).rejects.toMatchObject({ failure: { code: 'internal', details: 'out of memory' } });
  });
});
