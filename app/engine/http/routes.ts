import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { PATHS, sessionRequestSchema, type Method, type RpcAnswer } from '#core/contract/contract.ts';
import { receiveExperiment, sendExperiment, type ExperimentRouteParts } from '../experiments/experiment-routes.ts';
import { EngineFailure } from '../failure.ts';
import type { FileHandles } from '../files/file-handles.ts';
import type { Library } from '../library/library.ts';
import { FILE_BODY, readBody, readJson, TOKEN_BODY } from './request-body.ts';
import { isForServiceWorker, type HostNames } from './request-guard.ts';
import {
  noSession,
  Refusal,
  requireMethod,
  requireSameOrigin,
  requireSameOriginRead,
  requireSession,
  sendJson,
  STALLED_READER_MS,
} from './request-checks.ts';
import { answerCall, failedAnswer, isMethod, type Handlers } from './rpc.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { StaticFiles } from './static-files.ts';

export interface RouteParts extends ExperimentRouteParts {
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
  // A body that nobody reads has no clock: the connection ends with the answer.
  if (request.method === 'GET' || request.method === 'HEAD') {
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
    if (hasBody) response.setHeader('connection', 'close');
  }
  try {
    await route(parts, request, response);
  } catch (error) {
    const status = error instanceof Refusal ? error.status : statusOf(error);
    sendJson(request, response, status, failedAnswer(error, parts.log));
  }
}

async function route(parts: RouteParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  requireServedHost(parts.hosts, request);
  if (isForServiceWorker(request)) {
    throw new Refusal(403, 'service-worker', 'Service workers are not served.', 'Flamebench has none.');
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
    throw new Refusal(
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
  if (!body.success) throw new Refusal(400, 'invalid-arguments', 'Neither a token nor a code was sent.');
  const isOwn = hosts.kindOf(request) === 'own';
  const sessionToken =
    'code' in body.data
      ? sessionForCode(tokens, isOwn ? null : body.data.code)
      : sessionForToken(tokens, isOwn ? body.data.fragmentToken : null);
  sendJson(request, response, 200, { sessionToken });
}

/** Null: the token came from a page under another name, where it counts for nothing. */
function sessionForToken(tokens: SessionTokens, fragmentToken: string | null): string {
  const sessionToken = fragmentToken === null ? null : tokens.exchange(fragmentToken);
  if (sessionToken !== null) return sessionToken;
  throw new Refusal(
    401,
    'token-used',
    'This link has been used, or is older than a minute.',
    'Get a new one: press Enter in Flamebench’s terminal, or restart it.',
  );
}

/** Null: the code came from the page that a link opens, where none is asked for. */
function sessionForCode(tokens: SessionTokens, code: string | null): string {
  const answer = code === null ? { triesLeft: 0 } : tokens.exchangeCode(code);
  if ('sessionToken' in answer) return answer.sessionToken;
  const { triesLeft } = answer;
  if (triesLeft > 0) {
    const left = triesLeft === 1 ? '1 try is' : `${triesLeft} tries are`;
    throw new Refusal(401, 'wrong-code', `Wrong code; ${left} left.`, 'Enter the code shown in the terminal.');
  }
  throw new Refusal(
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
    throw new Refusal(404, 'handle-used', 'This file was already read, or the request has expired.', 'Open it again.');
  }
  const nonBlock = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;
  const file = await open(handled.path, constants.O_RDONLY | nonBlock).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(404, 'file-missing', `${handled.fileName} can't be read: ${reason}`, 'Check that it is there.');
  });
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    throw new Refusal(404, 'file-missing', `${handled.fileName} is not a regular file.`, 'Open a file.');
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
    throw new Refusal(400, 'invalid-arguments', 'File name missing or longer than 4,096 characters.');
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
  // What is not kept is read all the same: a page takes an answer before its end for a broken connection.
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
  if (found === null) throw new Refusal(404, 'not-found', 'Nothing exists at this address.');
  if (request.method === 'GET') return sendBytes(response, found.file, found.size, found.contentType);
  await found.file.close();
  response.writeHead(200, { 'content-type': found.contentType, 'content-length': found.size }).end();
}

/** Streams the first `size` bytes of a file, which may grow meanwhile. */
async function sendBytes(
  response: ServerResponse,
  file: Awaited<ReturnType<typeof open>>,
  size: number,
  contentType: string,
): Promise<void> {
  response.setTimeout(STALLED_READER_MS, () => response.destroy());
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', size);
  if (size === 0) {
    await file.close();
    response.end();
    return;
  }
  const bytes = file.createReadStream({ end: size - 1, highWaterMark: 1 << 18 });
  // A reader that went away, or a file that was cut short meanwhile: the connection ends before the stated length, which says so.
  await pipeline(bytes, response).catch(() => response.destroy());
}

/** Only origin-form targets (RFC 9112 3.2.1); undecodable ones are no path of ours. */
function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1));
  try {
    return { path: decodeURIComponent(path), query };
  } catch {
    throw new Refusal(400, 'invalid-arguments', 'Malformed address.');
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

/** A method's own failure is an answer like any other; only what never reached a method has a status of its own. */
function statusOfAnswer(method: string, answer: Extract<RpcAnswer<Method>, { ok: false }>): number {
  if (!isMethod(method)) return 404;
  return answer.error.code === 'invalid-arguments' ? 400 : 200;
}
