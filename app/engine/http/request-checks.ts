import type { IncomingMessage, ServerResponse } from 'node:http';
import { TOKEN_HEADER } from '#core/contract/contract.ts';
import { EngineFailure } from '../failure.ts';
import { isSameOrigin, isSameOriginRead } from './request-guard.ts';
import type { SessionTokens } from './session-tokens.ts';

/** A refusal, with the HTTP status that says so to whoever reads no body. */
export class Refusal extends EngineFailure {
  readonly status: number;
  constructor(status: number, code: string, message: string, remedy: string | null = null) {
    super(code, message, remedy);
    this.status = status;
  }
}

/** A client that stops reading keeps a file open no longer than this. */
export const STALLED_READER_MS = 120_000;

/** Throws where the request is another. */
export function requireMethod(request: IncomingMessage, method: string): void {
  if (request.method === method) return;
  throw new Refusal(405, 'wrong-method', `This address accepts only ${method}.`);
}

/** Throws where another page asks for a change. */
export function requireSameOrigin(request: IncomingMessage): void {
  if (!isSameOrigin(request.headers)) throw foreignOrigin();
}

/** Throws where another page reads. */
export function requireSameOriginRead(request: IncomingMessage): void {
  if (!isSameOriginRead(request.headers)) throw foreignOrigin();
}

const foreignOrigin = (): Refusal =>
  new Refusal(403, 'foreign-origin', 'Other pages may not call this engine.', 'Use the window that Flamebench opened.');

export function hasSession(tokens: SessionTokens, request: IncomingMessage): boolean {
  const token = request.headers[TOKEN_HEADER];
  return tokens.isSession(typeof token === 'string' ? token : undefined);
}

/** Throws where the request has no session's token. */
export function requireSession(tokens: SessionTokens, request: IncomingMessage): void {
  if (!hasSession(tokens, request)) throw noSession();
}

/** The page's session is of another engine, or of none. */
export const noSession = (): Refusal =>
  new Refusal(
    401,
    'no-session',
    'The engine does not know this session.',
    'Open the workbench again from the link that Flamebench prints.',
  );

/** Answers with JSON, where nothing was sent yet. */
export function sendJson(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(body);
  // With bytes of the body still to come the connection can't be used again.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
