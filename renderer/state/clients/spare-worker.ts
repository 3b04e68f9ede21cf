import type { WorkerPort } from './worker-client.ts';
import type { WorkerMessage } from '../../analysis/methods.ts';

/** A worker that may have sent messages already. */
interface TakenWorker {
  readonly worker: WorkerPort;
  /** Delivers the messages received so far; call it after setting `worker.onmessage`. */
  readonly replay: () => void;
}

/**
 * Keeps one worker started in advance, because starting one takes 30 to 100 ms. The first starts immediately, the
 * others through `later`, which runs its argument when the window is idle.
 */
export function createSpareWorkers(start: () => WorkerPort, later: (run: () => void) => void): () => TakenWorker {
  let spare: TakenWorker | null = null;
  const prepare = (): void => {
    spare ??= listenAhead(start());
  };
  prepare();
  return () => {
    const taken = spare ?? listenAhead(start());
    spare = null;
    later(prepare);
    return taken;
  };
}

function listenAhead(worker: WorkerPort): TakenWorker {
  const said: (() => void)[] = [];
  worker.onmessage = (event: MessageEvent<WorkerMessage>) => said.push(() => worker.onmessage?.(event));
  worker.onerror = (event) => said.push(() => worker.onerror?.(event));
  return {
    worker,
    replay: () => {
      for (const again of said) again();
    },
  };
}
