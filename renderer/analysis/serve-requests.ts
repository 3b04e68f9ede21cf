import { importers } from '#core/import/registry.ts';
import type { WorkerMessage, WorkerRequest } from './methods.ts';
import regexWorkerUrl from './regex-worker.ts?worker&url';
import { describeError } from './request-failure.ts';
import { trustedWorkerUrl } from './worker-url.ts';

/** The handlers of a worker, by method. */
export type RequestHandlers<Methods> = {
  [M in keyof Methods]: Methods[M] extends { params: infer Params; result: infer Result }
    ? (params: Params) => Result | Promise<Result>
    : never;
};

export function post(message: WorkerMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

/**
 * Answers the window's requests, several concurrently if handlers wait. `transferable` returns the parts of a result to
 * move instead of copying.
 */
export function serveRequests<Methods>(
  handlers: RequestHandlers<Methods>,
  transferable: (method: string, result: unknown) => Transferable[],
): void {
  const byMethod = new Map(Object.entries(handlers as Record<string, (params: unknown) => unknown>));
  async function answer({ id, method, params }: WorkerRequest): Promise<void> {
    try {
      const result = await byMethod.get(method)!(params);
      post({ kind: 'done', id, result }, transferable(method, result));
    } catch (error) {
      post({ kind: 'failed', id, failure: describeError(error) });
    }
  }
  self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
    void answer(data);
  };
  post({ kind: 'ready', formats: importers.map(({ id, label }) => ({ id, label })) });
}

export function startRegex(): Worker {
  return new Worker(trustedWorkerUrl(regexWorkerUrl), { type: 'module' });
}

/** Resolves after the messages that arrived in the meantime have been handled. */
export function yieldToMessages(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Returns the buffers of a table's columns. */
export function columnsOf(table: object): Transferable[] {
  return Object.values(table).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) ? (column.buffer as ArrayBuffer) : [],
  );
}
