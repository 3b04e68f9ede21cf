import type { IncomingMessage, ServerResponse } from 'node:http';
import { TOKEN_HEADER } from '#core/contract/paths.ts';
import { EngineFailure } from '../failure.ts';
import { isSameOrigin, isSameOriginRead } from './request-guard.ts';
import type { SessionTokens } from './session-tokens.ts';

/** A refusal with an HTTP status, for clients that do not read the body. */
export class HttpRefusal extends EngineFailure {
  readonly status: number;
  constructor(status: number, code: string, message: string, remedy: string | null = null) {
    super(code, message, remedy);
    this.status = status;
  }
}

/** Time in ms after which a client that has stopped reading loses its connection, which closes the file. */
export const STALLED_READER_MS = 120_000;

/** Throws if the request has another method. */
export function requireMethod(request: IncomingMessage, method: string): void {
  if (request.method === method) return;
  throw new HttpRefusal(405, 'wrong-method', `This address accepts only ${method}.`);
}

/** Throws if the request to change something comes from another page. */
export function requireSameOrigin(request: IncomingMessage): void {
  if (!isSameOrigin(request.headers)) throw foreignOrigin();
}

/** Throws if the request to read comes from another page. */
export function requireSameOriginRead(request: IncomingMessage): void {
  if (!isSameOriginRead(request.headers)) throw foreignOrigin();
}

const foreignOrigin = (): HttpRefusal =>
  new HttpRefusal(
    403,
    'foreign-origin',
    'Other pages may not call this engine.',
    'Use the window that Flamebench opened.',
  );

export function hasSession(tokens: SessionTokens, request: IncomingMessage): boolean {
  const token = request.headers[TOKEN_HEADER];
  return tokens.isSession(typeof token === 'string' ? token : undefined);
}

/** Throws if the request has no session token. */
export function requireSession(tokens: SessionTokens, request: IncomingMessage): void {
  if (!hasSession(tokens, request)) throw noSession();
}

/** Returns the refusal of a request with no session, or one of another engine. */
export const noSession = (): HttpRefusal =>
  new HttpRefusal(
    401,
    'no-session',
    'The engine does not know this session.',
    'Open the workbench again from the link that Flamebench prints.',
  );

/** Answers with JSON if nothing was sent yet. */
export function sendJson(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(body);
  // Unread bytes of the body make the connection unusable for further requests.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
