import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WorkerMessage, WorkerRequest } from '../../../renderer/analysis/methods.ts';
import { restartedWorker } from '../../../renderer/state/clients/restarted-worker.ts';
import type { WorkerPort } from '../../../renderer/state/clients/worker-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const READY = { data: { kind: 'ready', formats: [] } } as unknown as MessageEvent<WorkerMessage>;
const CUT_OFF = { message: '' } as ErrorEvent;
const request = (id: number): WorkerRequest => ({ id, method: 'open', params: null });

interface Started extends WorkerPort {
  readonly asked: WorkerRequest[];
  isEnded: boolean;
}

function watched(): { readonly port: WorkerPort; readonly started: Started[]; readonly heard: string[] } {
  const started: Started[] = [];
  const port = restartedWorker(() => {
    const worker: Started = {
      asked: [],
      isEnded: false,
      postMessage: (one) => void worker.asked.push(one),
      terminate: () => void (worker.isEnded = true),
      onmessage: null,
      onerror: null,
    };
    started.push(worker);
    return worker;
  });
  const heard: string[] = [];
  port.onmessage = ({ data }) => heard.push(data.kind);
  port.onerror = () => heard.push('error');
  return { port, started, heard };
}

test('a worker whose script was cut off is started again with its requests', () => {
  const { port, started, heard } = watched();
  port.postMessage(request(1));
  started[0]!.onerror!(CUT_OFF);
  port.postMessage(request(2));
  vi.runAllTimers();
  expect(started.map(({ asked, isEnded }) => [asked.length, isEnded])).toEqual([
    [1, true],
    [2, false],
  ]);
  started[1]!.onmessage!(READY);
  port.postMessage(request(3));
  expect([started[1]!.asked.length, heard]).toEqual([3, ['ready']]);
});

test('a worker that has answered is not started again; nor is one without success', () => {
  const { started, heard } = watched();
  started[0]!.onmessage!(READY);
  started[0]!.onerror!(CUT_OFF);
  vi.runAllTimers();
  expect([started.length, heard]).toEqual([1, ['ready', 'error']]);

  const other = watched();
  for (let start = 0; start < 4; start++) {
    other.started[start]!.onerror!(CUT_OFF);
    vi.runAllTimers();
  }
  expect([other.started.length, other.heard]).toEqual([4, ['error']]);
});

test('a terminated worker stays so', () => {
  const { port, started } = watched();
  started[0]!.onerror!(CUT_OFF);
  port.terminate();
  vi.runAllTimers();
  expect(started).toHaveLength(1);
});
