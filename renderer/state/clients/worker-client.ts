import type { CompareStep } from '#core/compare/comparison.ts';
import type { Failure } from '../../analysis/answer.ts';
import type { CompareMethods } from '../../analysis/comparison/methods.ts';
import type {
  FormatRow,
  MethodTable,
  ParamsOf,
  ResultOf,
  WorkerMessage,
  WorkerNews,
  WorkerRequest,
} from '../../analysis/methods.ts';
import type { ProfileMethods } from '../../analysis/profile/protocol.ts';

/** A {@link Failure}, as an error that can be thrown. */
export class WorkerFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'WorkerFailure';
    this.failure = failure;
  }
}

/** The part of `Worker` that a client uses. */
export interface WorkerPort {
  postMessage(message: WorkerRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<WorkerMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** The window's client of a worker. */
interface WorkerClient<Table extends MethodTable<Table>> {
  call<M extends keyof Table & string>(method: M, params: ParamsOf<Table, M>): Promise<ResultOf<Table, M>>;
  /** Terminates the worker immediately and frees its memory. Pending calls fail as `cancelled`. */
  dispose(): void;
}

export type ProfileClient = WorkerClient<ProfileMethods>;
export type CompareClient = WorkerClient<CompareMethods>;

/** Messages that a worker sends without a request. */
export interface WorkerEvents {
  readonly onFormats?: (formats: readonly FormatRow[]) => void;
  readonly onProgress: (readBytes: number, totalBytes: number | null) => void;
  /** `done` is the completed fraction of the comparison, from 0 to 1. */
  readonly onStep?: (step: CompareStep, done: number) => void;
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

type Stopped = Pick<Failure, 'message' | 'remedy'>;
const PROFILE_STOPPED: Stopped = {
  message: 'The reader of this profile stopped unexpectedly.',
  remedy: 'Open the file again; if it is very large, record for a shorter time or at a lower rate.',
};
const COMPARISON_STOPPED: Stopped = {
  message: 'The reader of this comparison stopped unexpectedly.',
  remedy: 'Compare again with fewer captures or a shorter time range.',
};

export const createProfileClient = (worker: WorkerPort, events: WorkerEvents): ProfileClient =>
  createWorkerClient<ProfileMethods>(worker, events, PROFILE_STOPPED);

export const createCompareClient = (worker: WorkerPort, events: WorkerEvents): CompareClient =>
  createWorkerClient<CompareMethods>(worker, events, COMPARISON_STOPPED);

/** `stopped` is the message if the worker ends unexpectedly. */
function createWorkerClient<Table extends MethodTable<Table>>(
  worker: WorkerPort,
  events: WorkerEvents,
  stopped: Stopped,
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

  function hear(news: WorkerNews): void {
    if (news.kind === 'ready') events.onFormats?.(news.formats);
    else if (news.kind === 'progress') events.onProgress(news.readBytes, news.totalBytes);
    else events.onStep?.(news.step, news.done);
  }

  worker.onmessage = ({ data }) => {
    if (data.kind !== 'done' && data.kind !== 'failed') return hear(data);
    const call = pending.get(data.id);
    pending.delete(data.id);
    if (data.kind === 'done') call?.resolve(data.result as never);
    else call?.reject(new WorkerFailure(data.failure));
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
        worker.postMessage({ id, method, params });
      }),
    dispose: () => end(CANCELLED),
  };
}
