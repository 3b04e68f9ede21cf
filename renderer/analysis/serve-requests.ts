import { importers } from '#core/import/registry.ts';
import type { Failure } from './answer.ts';
import type { FormatRow } from './protocol.ts';
import regexWorkerUrl from './regex-worker.ts?worker&url';
import { describeError } from './request-failure.ts';
import { trustedWorkerUrl } from './worker-url.ts';

/** What a worker answers, by method. */
export type RequestHandlers<Methods> = {
  [M in keyof Methods]: Methods[M] extends { params: infer Params; result: infer Result }
    ? (params: Params) => Result | Promise<Result>
    : never;
};

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

type Answer =
  | { readonly kind: 'ready'; readonly formats: readonly FormatRow[] }
  | { readonly kind: 'done'; readonly id: number; readonly result: never }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };

/**
 * Answers the window's requests from now on, several at a time where handlers wait. `transferable`: what of a result moves instead of being
 * copied.
 */
export function serveRequests<R extends Request>(
  handlers: Readonly<Record<R['method'], (params: never) => unknown>>,
  post: (message: Answer, transfer?: Transferable[]) => void,
  transferable: (method: R['method'], result: unknown) => Transferable[],
): void {
  async function answer({ id, method, params }: R): Promise<void> {
    try {
      const result = await handlers[method as R['method']](params as never);
      post({ kind: 'done', id, result: result as never }, transferable(method, result));
    } catch (error) {
      post({ kind: 'failed', id, failure: describeError(error) });
    }
  }
  self.onmessage = ({ data }: MessageEvent<R>) => {
    void answer(data);
  };
  post({ kind: 'ready', formats: importers.map(({ id, label }) => ({ id, label })) });
}

export function startRegex(): Worker {
  return new Worker(trustedWorkerUrl(regexWorkerUrl), { type: 'module' });
}

/** Until the messages that have come meanwhile are answered. */
export function rest(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The buffers of a table's columns. */
export function columnsOf(table: object): Transferable[] {
  return Object.values(table).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) ? (column.buffer as ArrayBuffer) : [],
  );
}
