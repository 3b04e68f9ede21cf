import type { Failure } from '../../analysis/answer.ts';
import type { FormatRow, WorkerMessage, WorkerMethods, WorkerRequest } from '../../analysis/protocol.ts';

/** A {@link Failure} as it was thrown. */
export class WorkerFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'WorkerFailure';
    this.failure = failure;
  }
}

/** The part of `Worker` that a client uses. */
export interface WorkerPort<Request = WorkerRequest, Message = WorkerMessage> {
  postMessage(message: Request): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Message>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** What a worker can be asked, by method. */
type MethodsOf<Table> = { [M in keyof Table]: { params: unknown; result: unknown } };

/** A worker, seen from the window. */
export interface WorkerClient<Table extends MethodsOf<Table>> {
  call<M extends keyof Table>(method: M, params: Table[M]['params']): Promise<Table[M]['result']>;
  /** Ends the worker at once, whatever it is doing, and frees what it holds. Pending calls fail as `cancelled`. */
  dispose(): void;
}

/** One profile's worker. */
export type ProfileClient = WorkerClient<WorkerMethods>;

export interface ProfileClientEvents {
  onFormats(formats: readonly FormatRow[]): void;
  onProgress(readBytes: number, totalBytes: number | null): void;
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: WorkerFailure) => void;
}

/** What answers a request, of any worker. */
type Answer =
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };

/** What a worker says unasked. */
export type Told<Message extends { readonly kind: string }> = Exclude<Message, { readonly kind: 'done' | 'failed' }>;

export const CANCELLED: Failure = {
  code: 'cancelled',
  message: 'Cancelled.',
  location: null,
  remedy: null,
  details: null,
};

/** `stopped`: what is said where the worker ends by itself. */
export function createWorkerClient<Table extends MethodsOf<Table>, Message extends { readonly kind: string }>(
  worker: WorkerPort<never, Message>,
  onTold: (message: Told<Message>) => void,
  stopped: Pick<Failure, 'message' | 'remedy'>,
): WorkerClient<Table> {
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let ended: Failure | null = null;

  function end(failure: Failure): void {
    ended ??= failure;
    worker.terminate();
    for (const call of pending.values()) call.reject(new WorkerFailure(failure));
    pending.clear();
  }

  function take(answer: Answer): void {
    const call = pending.get(answer.id);
    pending.delete(answer.id);
    if (answer.kind === 'done') call?.resolve(answer.result as never);
    else call?.reject(new WorkerFailure(answer.failure));
  }

  worker.onmessage = ({ data }) => {
    if (data.kind === 'done' || data.kind === 'failed') take(data as unknown as Answer);
    else onTold(data as Told<Message>);
  };
  worker.onerror = (event) => {
    const gaveNone = 'The worker gave no reason (out of memory, or its script could not be loaded).';
    end({
      ...stopped,
      code: 'internal',
      location: null,
      details: event.message === '' ? gaveNone : event.message,
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
        worker.postMessage({ id, method, params } as never);
      }),
    dispose: () => {
      end(CANCELLED);
    },
  };
}

export function createProfileClient(worker: WorkerPort, events: ProfileClientEvents): ProfileClient {
  return createWorkerClient<WorkerMethods, WorkerMessage>(
    worker,
    (message) => {
      if (message.kind === 'ready') events.onFormats(message.formats);
      else events.onProgress(message.readBytes, message.totalBytes);
    },
    {
      message: 'The reader of this profile stopped unexpectedly.',
      remedy: 'Open the file again; if it is very large, record for a shorter time or at a lower rate.',
    },
  );
}
