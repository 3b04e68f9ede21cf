import { EVENTS_PROTOCOL, PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import { readRpcError } from './rpc-error.ts';
import type { EngineEvent, Method, Params, Result, RpcError } from '#core/contract/contract.ts';
import type { ImportedExperiment } from '#core/contract/experiment.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { jsonValue } from '#core/model/json-value.ts';
import { createStore, type Store } from './store.ts';

/**
 * `lost`: the engine does not answer; open tabs stay usable. `expired`: the engine answers but does not know this
 * session.
 */
export type Connection = 'connecting' | 'open' | 'lost' | 'expired';

/** A failure reported by the engine or caused by the connection. `message` is one line, `remedy` what to do. */
export class EngineError extends Error {
  readonly code: string;
  readonly remedy: string | null;

  constructor(error: RpcError) {
    super(error.message);
    this.name = 'EngineError';
    this.code = error.code;
    this.remedy = error.remedy;
  }
}

/** Returns whether a call failed because the engine could not be reached. */
export const isLost = (error: unknown): boolean => error instanceof EngineError && error.code === LOST.code;

/** Waits until the engine is reachable. */
export async function whenOpen({ get, subscribe }: EngineClient['connection']): Promise<void> {
  if (get().state === 'open') return;
  await new Promise<void>((resolve) => {
    const stop = subscribe(() => {
      if (get().state !== 'open') return;
      stop();
      resolve();
    });
  });
}

export interface UploadOptions {
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

export interface EngineClient {
  readonly token: string;
  readonly connection: Store<{ state: Connection }>;
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Adds a file to the library. Aborting leaves nothing behind. */
  readonly upload: (file: File, options: UploadOptions) => Promise<CaptureDocument>;
  /** Returns an experiment with its captures as one file. */
  experimentFile(id: string): Promise<Blob>;
  /** Adds such a file to the library. Aborting leaves nothing behind. */
  readonly importExperiment: (file: File, options: UploadOptions) => Promise<ImportedExperiment>;
  onEvent(listener: (event: EngineEvent) => void): void;
  /** Connects the event stream, or reconnects it. */
  connect(): void;
}

/** Maximum size in bytes of a body that a browser still sends after its page was closed. */
const MAX_KEEPALIVE = 60_000;
/** Time between attempts to reach a lost engine, in ms. */
const RETRY_MS = 3000;

const LOST: RpcError = {
  code: 'connection-lost',
  message: 'The Flamebench engine does not answer.',
  remedy: 'Restart Flamebench, then reconnect. Open profiles stay open.',
};
const EXPIRED: RpcError = {
  code: 'session-expired',
  message: 'The engine does not know this session.',
  remedy: 'Open the workbench again from the link that Flamebench prints.',
};

/**
 * Creates a client. Results and events are as their types say, because the engine validates what it sends.
 */
export function createEngineClient(token: string): EngineClient {
  const connection = createStore<{ state: Connection }>({ state: 'connecting' });
  const listeners = new Set<(event: EngineEvent) => void>();
  let socket: WebSocket | null = null;

  async function load(path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers: { ...headers, [TOKEN_HEADER]: token } });
    } catch {
      connection.set({ state: 'lost' });
      retryLater();
      throw new EngineError(LOST);
    }
    if (response.status === 401) {
      connection.set({ state: 'expired' });
      throw new EngineError(EXPIRED);
    }
    return response;
  }

  /** Uploads a file and returns the engine's result. */
  async function send(path: string, file: File, options: UploadOptions): Promise<unknown> {
    const { status, text } = await sendWithProgress(path, file, { [TOKEN_HEADER]: token }, options);
    if (status === 0) connection.set({ state: 'lost' });
    if (status === 401) connection.set({ state: 'expired' });
    return resultOf(status, text);
  }

  function connect(): void {
    socket?.close();
    const opening = new WebSocket(`ws://${window.location.host}${PATHS.events}`, [EVENTS_PROTOCOL, token]);
    let refused = true;
    socket = opening;
    opening.onopen = () => {
      refused = false;
      connection.set({ state: 'open' });
    };
    opening.onmessage = (message) => {
      const event = (jsonValue(String(message.data)) ?? null) as EngineEvent | null;
      if (event !== null) for (const listener of listeners) listener(event);
    };
    opening.onclose = () => {
      if (socket !== opening) return;
      socket = null;
      if (connection.get().state !== 'expired') connection.set({ state: 'lost' });
      // A page cannot see why a WebSocket was refused, but it can see why a request was.
      if (refused) void call('recent.list', {}).catch(() => null);
      retryLater();
    };
  }

  /** A request can fail while the event stream stays open, such as when a network link of the machine goes. */
  function retryLater(): void {
    window.setTimeout(() => {
      if (connection.get().state === 'lost' && socket?.readyState !== WebSocket.CONNECTING) connect();
    }, RETRY_MS);
  }

  async function call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    const body = JSON.stringify(params);
    const headers = { 'content-type': 'application/json' };
    const keepalive = (method === 'session.save' || method === 'session.leave') && body.length < MAX_KEEPALIVE / 3;
    const response = await load(PATHS.rpc + method, { method: 'POST', body, keepalive }, headers);
    return resultOf(response.status, await response.text()) as Result<M>;
  }

  return {
    token,
    connection,
    connect,
    call,
    upload: async (file, options) =>
      keptCapture(await send(`${PATHS.upload}?name=${encodeURIComponent(file.name)}`, file, options)),
    importExperiment: async (file, options) => (await send(PATHS.experiment, file, options)) as ImportedExperiment,
    async experimentFile(id) {
      const response = await load(PATHS.experiment + encodeURIComponent(id), {});
      if (!response.ok) resultOf(response.status, await response.text());
      return response.blob();
    },
    onEvent(listener) {
      listeners.add(listener);
    },
  };
}

/** Returns the capture of an uploaded file; throws unless the engine names it. */
function keptCapture(result: unknown): CaptureDocument {
  const kept = result as Partial<CaptureDocument> | null;
  if (typeof kept?.id !== 'string') throw new Error('the engine returned no capture id');
  return kept as CaptureDocument;
}

/** Returns the result of an RpcAnswer, or throws its error. */
function resultOf(status: number, text: string): unknown {
  if (status === 0) throw new EngineError(LOST);
  if (status === 401) throw new EngineError(EXPIRED);
  const answer = jsonValue(text);
  if (typeof answer === 'object' && answer !== null && 'ok' in answer) {
    if (answer.ok === true && 'result' in answer) return answer.result;
    const error = 'error' in answer ? readRpcError(answer.error) : null;
    if (error !== null) throw new EngineError(error);
  }
  throw new EngineError({
    code: 'bad-answer',
    message: `The engine answered with HTTP ${status} and a response that this page does not understand.`,
    remedy: 'Reload the page; it may be older than the engine.',
  });
}

/**
 * Uploads with XMLHttpRequest, because `fetch` does not report upload progress. Status 0 means that the engine does not
 * answer.
 */
function sendWithProgress(
  path: string,
  body: File,
  headers: Readonly<Record<string, string>>,
  { onProgress, signal }: UploadOptions,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open('POST', path);
    for (const [name, value] of Object.entries(headers)) sent.setRequestHeader(name, value);
    sent.upload.onprogress = ({ loaded }) => onProgress(loaded);
    sent.onload = () => resolve({ status: sent.status, text: sent.responseText });
    sent.onerror = () => resolve({ status: 0, text: '' });
    sent.onabort = () => reject(new Error('cancelled'));
    signal.addEventListener('abort', () => sent.abort());
    sent.send(body);
  });
}
