import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sessionRequestSchema, type Method, type RpcAnswer } from '#core/contract/contract.ts';
import { PATHS } from '#core/contract/paths.ts';
import { receiveExperiment, sendExperiment, type ExperimentRouteParts } from './experiments/experiment-routes.ts';
import { EngineFailure } from './failure.ts';
import type { FileHandles } from './files/file-handles.ts';
import type { Library } from './library/library.ts';
import { FILE_BODY, readBody, readJson, TOKEN_BODY } from './http/request-body.ts';
import { isForServiceWorker, type HostNames } from './http/request-guard.ts';
import {
  noSession,
  HttpRefusal,
  requireMethod,
  requireSameOrigin,
  requireSameOriginRead,
  requireSession,
  sendJson,
} from './http/request-checks.ts';
import { answerCall, failedAnswer, isMethod, type Handlers } from './http/rpc.ts';
import { sendBytes, sendChunks } from './http/send-bytes.ts';
import type { SessionTokens } from './http/session-tokens.ts';
import type { StaticFiles } from './http/static-files.ts';
import { WORKER_POLICY } from '#core/contract/trusted-types.ts';
import { messageOf } from '#core/model/failure.ts';

interface RouteParts extends ExperimentRouteParts {
  readonly handlers: Handlers;
  readonly library: Library;
  readonly fileHandles: FileHandles;
  readonly tokens: SessionTokens;
  readonly hosts: HostNames;
  readonly staticFiles: StaticFiles;
  readonly log: (line: string) => void;
}

/** Answers one HTTP request; never throws. */
export async function answerRequest(parts: RouteParts, request: IncomingMessage, response: ServerResponse) {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  // Nothing limits the time of an unread body, so the connection is closed after the answer.
  if (request.method === 'GET' || request.method === 'HEAD') {
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
    if (hasBody) response.setHeader('connection', 'close');
  }
  try {
    await route(parts, request, response);
  } catch (error) {
    const status = error instanceof HttpRefusal ? error.status : statusOf(error);
    sendJson(request, response, status, failedAnswer(error, parts.log));
  }
}

async function route(parts: RouteParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  requireServedHost(parts.hosts, request);
  if (isForServiceWorker(request)) {
    throw new HttpRefusal(403, 'service-worker', 'Service workers are not served.', 'Flamebench has none.');
  }
  const { path, query } = splitTarget(request.url ?? '');
  if (path === PATHS.session) return exchangeToken(parts, request, response);
  if (path.startsWith(PATHS.rpc)) return answerRpc(parts, request, response, path.slice(PATHS.rpc.length));
  if (path.startsWith(PATHS.file)) return sendFile(parts, request, response, path.slice(PATHS.file.length));
  if (path === PATHS.upload) return receiveUpload(parts, request, response, query);
  if (path === PATHS.experiment) return receiveExperiment(parts, request, response);
  if (path.startsWith(PATHS.experiment)) {
    return sendExperiment(parts, request, response, path.slice(PATHS.experiment.length));
  }
  if (path.startsWith(PATHS.cache)) return receiveCache(parts, request, response, path.slice(PATHS.cache.length));
  return sendStatic(parts, request, response, path);
}

function requireServedHost(hosts: HostNames, request: IncomingMessage): void {
  const kind = hosts.kindOf(request);
  if (kind === 'former') throw noSession();
  if (kind === 'foreign') {
    throw new HttpRefusal(
      403,
      'foreign-host',
      'This address is not served.',
      'Open the link that Flamebench prints, or start it with --host and the name in this address.',
    );
  }
}

async function exchangeToken({ tokens, hosts }: RouteParts, request: IncomingMessage, response: ServerResponse) {
  requireMethod(request, 'POST');
  requireSameOrigin(request);
  const body = sessionRequestSchema.safeParse(await readJson(request, TOKEN_BODY));
  if (!body.success) throw new HttpRefusal(400, 'invalid-arguments', 'Neither a token nor a code was sent.');
  const isOwn = hosts.kindOf(request) === 'own';
  const sessionToken =
    'code' in body.data
      ? sessionForCode(tokens, isOwn ? null : body.data.code)
      : sessionForToken(tokens, isOwn ? body.data.fragmentToken : null);
  sendJson(request, response, 200, { sessionToken });
}

/** Exchanges a token; null means that it came from a page under another name, where tokens are not accepted. */
function sessionForToken(tokens: SessionTokens, fragmentToken: string | null): string {
  const sessionToken = fragmentToken === null ? null : tokens.exchange(fragmentToken);
  if (sessionToken !== null) return sessionToken;
  throw new HttpRefusal(
    401,
    'token-used',
    'This link has been used, or is older than 15 minutes.',
    'Get a new one: press Enter in Flamebench’s terminal, or Open another window in a window that is open.',
  );
}

/** Exchanges a code; null means that it came from the page of a link, which needs no code. */
function sessionForCode(tokens: SessionTokens, code: string | null): string {
  const answer = code === null ? { triesLeft: 0 } : tokens.exchangeCode(code);
  if ('sessionToken' in answer) return answer.sessionToken;
  const { triesLeft } = answer;
  if (triesLeft > 0) {
    const left = triesLeft === 1 ? '1 try is' : `${triesLeft} tries are`;
    throw new HttpRefusal(401, 'wrong-code', `Wrong code; ${left} left.`, 'Enter the code shown in the terminal.');
  }
  throw new HttpRefusal(
    401,
    'code-void',
    'The code is no longer valid: codes last for 60 seconds and 3 tries.',
    'Press Enter in Flamebench’s terminal for a new code.',
  );
}

async function answerRpc(
  { handlers, tokens, log }: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
  method: string,
): Promise<void> {
  requireMethod(request, 'POST');
  requireSameOrigin(request);
  requireSession(tokens, request);
  const answer = await answerCall(handlers, method, await readJson(request), log);
  sendJson(request, response, answer.ok ? 200 : statusOfAnswer(method, answer), answer);
}

async function sendFile(
  { fileHandles, tokens }: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
  handle: string,
): Promise<void> {
  requireMethod(request, 'GET');
  requireSameOriginRead(request);
  requireSession(tokens, request);
  const handled = fileHandles.take(handle);
  if (handled === null) {
    throw new HttpRefusal(
      404,
      'handle-used',
      'This file was already read, or the request has expired.',
      'Open it again.',
    );
  }
  if ('chunks' in handled) return sendChunks(response, handled.chunks);
  const nonBlock = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;
  const file = await open(handled.path, constants.O_RDONLY | nonBlock).catch((error: unknown) => {
    const reason = messageOf(error);
    throw new HttpRefusal(
      404,
      'file-missing',
      `${handled.fileName} can't be read: ${reason}`,
      'Check that it is there.',
    );
  });
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    throw new HttpRefusal(404, 'file-missing', `${handled.fileName} is not a regular file.`, 'Open a file.');
  }
  await sendBytes(response, file, found.size, 'application/octet-stream');
}

async function receiveUpload(
  { library, tokens }: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  requireMethod(request, 'POST');
  requireSameOrigin(request);
  requireSession(tokens, request);
  const name = query.get('name') ?? '';
  if (name === '' || name.length > 4096) {
    throw new HttpRefusal(400, 'invalid-arguments', 'File name missing or longer than 4,096 characters.');
  }
  const result = await library.importFile(name, readBody(request, FILE_BODY));
  sendJson(request, response, 200, { ok: true, result });
}

async function receiveCache(
  { library, tokens }: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  requireMethod(request, 'PUT');
  requireSameOrigin(request);
  requireSession(tokens, request);
  const body = readBody(request, FILE_BODY);
  const kept = await library.saveCache(id, body);
  // Reads a body that is not stored, because pages take an answer before the end of their request for a broken
  // connection.
  if (!kept) for await (const chunk of body) void chunk;
  sendJson(request, response, 200, { ok: true, result: { kept } });
}

async function sendStatic(
  { staticFiles }: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.method !== 'HEAD') requireMethod(request, 'GET');
  const found = await staticFiles.open(path);
  if (found === null) throw new HttpRefusal(404, 'not-found', 'Nothing exists at this address.');
  if (request.method === 'GET') return sendBytes(response, found.file, found.size, found.contentType);
  await found.file.close();
  response.writeHead(200, { 'content-type': found.contentType, 'content-length': found.size }).end();
}

/** Splits a target in origin form (RFC 9112 3.2.1); undecodable ones match no path. */
function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1));
  try {
    return { path: decodeURIComponent(path), query };
  } catch {
    throw new HttpRefusal(400, 'invalid-arguments', 'Malformed address.');
  }
}

function statusOf(error: unknown): number {
  if (!(error instanceof EngineFailure)) return 500;
  const byCode = new Map([
    ['invalid-arguments', 400],
    ['not-found', 404],
    ['too-large', 413],
    ['disk-full', 507],
  ]);
  return byCode.get(error.code) ?? 409;
}

/**
 * Returns the HTTP status of a failed call. A method's own failure is an ordinary answer; only calls that did not reach
 * a method have an error status.
 */
function statusOfAnswer(method: string, answer: Extract<RpcAnswer<Method>, { ok: false }>): number {
  if (!isMethod(method)) return 404;
  return answer.error.code === 'invalid-arguments' ? 400 : 200;
}

/**
 * See docs/architecture.md, "The loopback server". React and d3 set styles through the CSSOM, which `style-src 'self'`
 * allows.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  "frame-ancestors 'none'",
  // The following are not covered by default-src.
  "base-uri 'none'",
  "form-action 'none'",
  // The page creates only this policy, and only once.
  `trusted-types ${WORKER_POLICY}`,
].join('; ');

/** Headers of every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
  // Other programs reuse ports, so no answer may stay in a cache.
  'cache-control': 'no-store',
};
