import type { WorkerPort } from './worker-client.ts';
import type { WorkerMessage } from '../../analysis/methods.ts';

/** A worker that may have spoken already. */
export interface TakenWorker {
  readonly worker: WorkerPort;
  /** Hands over what it said before; to be called once `worker.onmessage` is set. */
  readonly replay: () => void;
}

/**
 * Workers of which one is always started ahead, the first at once, because a worker takes 30 to 100 ms to be there. `later` runs what it is
 * given when nothing more urgent is to do.
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
  worker.onmessage = (event: MessageEvent<WorkerMessage>) => {
    said.push(() => worker.onmessage?.(event));
  };
  worker.onerror = (event) => {
    said.push(() => worker.onerror?.(event));
  };
  return {
    worker,
    replay: () => {
      for (const again of said) again();
    },
  };
}
