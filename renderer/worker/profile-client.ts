import type {
  Failure,
  FormatRow,
  WorkerMessage,
  WorkerMethod,
  WorkerParams,
  WorkerRequest,
  WorkerResult,
} from './protocol.ts';

/** A {@link Failure} as it was thrown. */
export class WorkerFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'WorkerFailure';
    this.failure = failure;
  }
}

/** The part of `Worker` that the client uses. */
export interface WorkerPort {
  postMessage(message: WorkerRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<WorkerMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** One profile's worker, seen from the window. */
export interface ProfileClient {
  call<M extends WorkerMethod>(method: M, params: WorkerParams<M>): Promise<WorkerResult<M>>;
  /** Ends the worker at once, whatever it is doing, and frees the profile. Pending calls fail as `cancelled`. */
  dispose(): void;
}

export interface ProfileClientEvents {
  onFormats(formats: readonly FormatRow[]): void;
  onProgress(readBytes: number, totalBytes: number | null): void;
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: WorkerFailure) => void;
}

export const CANCELLED: Failure = {
  code: 'cancelled',
  message: 'Cancelled.',
  location: null,
  remedy: null,
  details: null,
};

export function createProfileClient(worker: WorkerPort, events: ProfileClientEvents): ProfileClient {
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let ended: Failure | null = null;

  function end(failure: Failure): void {
    ended ??= failure;
    worker.terminate();
    for (const call of pending.values()) call.reject(new WorkerFailure(failure));
    pending.clear();
  }

  worker.onmessage = ({ data }) => {
    if (data.kind === 'ready') return events.onFormats(data.formats);
    if (data.kind === 'progress') return events.onProgress(data.readBytes, data.totalBytes);
    const call = pending.get(data.id);
    pending.delete(data.id);
    if (data.kind === 'done') call?.resolve(data.result as never);
    else call?.reject(new WorkerFailure(data.failure));
  };
  worker.onerror = (event) => {
    end({
      code: 'internal',
      message: 'The reader of this profile stopped unexpectedly.',
      location: null,
      remedy: 'Open the file again; if it is very large, record for a shorter time or at a lower rate.',
      details:
        event.message === ''
          ? 'The worker gave no reason (out of memory, or its script could not be loaded).'
          : event.message,
    });
  };

  return {
    call: (method, params) =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(new WorkerFailure(ended));
          return;
        }
        const id = nextId++;
        pending.set(id, { resolve, reject });
        worker.postMessage({ id, method, params } as WorkerRequest);
      }),
    dispose: () => {
      end(CANCELLED);
    },
  };
}
