import type { WorkerRequest } from '../../analysis/methods.ts';
import { RETRY_WAITS_MS } from '../../ui/load-part.ts';
import type { WorkerPort } from './worker-client.ts';

/**
 * Returns a worker that is started again, with its requests so far, if it fails before its first message: a browser
 * ends the request for its script when a network link of the machine appears or goes.
 */
export function restartedWorker(start: () => WorkerPort): WorkerPort {
  const requests: WorkerRequest[] = [];
  let worker: WorkerPort | null = null;
  let failures = 0;
  let hasSpoken = false;
  let isTerminated = false;
  const port: WorkerPort = {
    postMessage: (request) => {
      if (!hasSpoken) requests.push(request);
      worker?.postMessage(request);
    },
    terminate: () => {
      isTerminated = true;
      worker?.terminate();
    },
    onmessage: null,
    onerror: null,
  };
  const begin = (): void => {
    if (isTerminated) return;
    worker = start();
    worker.onmessage = (event) => {
      hasSpoken = true;
      requests.length = 0;
      port.onmessage?.(event);
    };
    worker.onerror = (event) => {
      const wait = hasSpoken ? undefined : RETRY_WAITS_MS[failures++];
      if (wait === undefined) return port.onerror?.(event);
      worker?.terminate();
      worker = null;
      setTimeout(begin, wait);
    };
    for (const request of requests) worker.postMessage(request);
  };
  begin();
  return port;
}
