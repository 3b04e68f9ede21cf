import { expect, test } from 'vitest';
import type { WorkerPort } from '../../../renderer/state/clients/worker-client.ts';
import type { WorkerMessage } from '../../../renderer/analysis/methods.ts';
import { createSpareWorkers } from '../../../renderer/state/clients/spare-worker.ts';

const READY: WorkerMessage = { kind: 'ready', formats: [] };

function makeStart(): { started: WorkerPort[]; start: () => WorkerPort } {
  const started: WorkerPort[] = [];
  const start = (): WorkerPort => {
    const worker: WorkerPort = {
      postMessage: () => undefined,
      terminate: () => undefined,
      onmessage: null,
      onerror: null,
    };
    started.push(worker);
    return worker;
  };
  return { started, start };
}

test('starts one worker in advance, and replays its messages', () => {
  const { started, start } = makeStart();
  const waiting: (() => void)[] = [];
  const take = createSpareWorkers(start, (run) => waiting.push(run));
  expect(started).toHaveLength(1);
  started[0]!.onmessage!({ data: READY } as MessageEvent<WorkerMessage>);

  const { worker, replay } = take();
  expect(worker).toBe(started[0]);
  const heard: WorkerMessage[] = [];
  worker.onmessage = ({ data }) => heard.push(data);
  replay();
  expect(heard).toEqual([READY]);

  waiting.shift()!();
  expect(started).toHaveLength(2);
  expect(take().worker).toBe(started[1]);
});

test('starts a worker if none is ready; never two in advance', () => {
  const { started, start } = makeStart();
  const waiting: (() => void)[] = [];
  const take = createSpareWorkers(start, (run) => waiting.push(run));
  take();
  take();
  expect(started).toHaveLength(2);
  for (const run of waiting) run();
  expect(started).toHaveLength(3);
});
