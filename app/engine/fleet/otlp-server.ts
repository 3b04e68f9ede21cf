import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { UnwrapMeter } from '#core/import/unpack/unwrap-meter.ts';
import { ImportFailure, messageOf } from '#core/model/failure.ts';
import { WireMessage } from '#core/wire/protobuf-writer.ts';
import { EngineFailure } from '../failure.ts';
import { gunzip } from '../files/gunzip.ts';
import { readBody } from '../http/request-body.ts';
import { HttpRefusal, requireMethod } from '../http/request-checks.ts';

export type OtlpEncoding = 'json' | 'protobuf';

/** What became of a request's profiles. */
export interface OtlpReceipt {
  /** Profiles that were not added. */
  readonly rejected: number;
  /** Why, in one line; empty if none was. */
  readonly reason: string;
}

export interface OtlpServerOptions {
  /** The most bytes of a body, as sent and unpacked. */
  readonly maxBytes: number;
  /** The bearer token that requests must have; null: none. */
  readonly token: string | null;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Adds the profiles of a request. Rejects with an `ImportFailure` if it is not one, else if it must be repeated. */
  readonly add: (body: Uint8Array, encoding: OtlpEncoding) => Promise<OtlpReceipt>;
  readonly onRefused: (status: number, message: string) => void;
}

/** Path of the signal while its protocol is in development. */
const PATH = '/v1development/profiles';
/** Version of the development protocol, if a client states it. */
const VERSION = { header: 'otlp-profiles-development-version', value: '1' } as const;
const CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};
/** Times that a client has to send a body, in ms. */
const BODY_TIMES = { idleMs: 30_000, totalMs: 120_000 };
/** Requests that wait for the store, each with its body in memory. */
const MAX_WAITING = 16;
const MAX_CONNECTIONS = 256;
/** Seconds after which a client repeats a request. */
const RETRY_AFTER = '5';
/** Time in ms that a refused client has to read the answer before it has sent all. */
const LINGER_MS = 1000;

/** Codes of google.rpc.Code by HTTP status. */
const CODES = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 5],
  [405, 12],
  [413, 3],
  [415, 3],
  [500, 13],
  [503, 14],
]);

/** Returns a server of OTLP/HTTP for profiles (https://opentelemetry.io/docs/specs/otlp/#otlphttp). It does not listen yet. */
export function otlpServer(options: OtlpServerOptions): Server {
  let waiting = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = encodingOf(request);
    try {
      const encoding = checkHead(request, options.token);
      if (waiting >= MAX_WAITING) throw new HttpRefusal(503, 'busy', `${MAX_WAITING} requests are waiting`);
      waiting += 1;
      try {
        const { rejected, reason } = await options.add(await bodyOf(request, options.maxBytes), encoding);
        respond(response, 200, encoding, receiptOf(encoding, rejected, reason));
      } finally {
        waiting -= 1;
      }
    } catch (error) {
      const status = statusOf(error);
      const message = status === 500 ? 'internal error' : messageOf(error);
      options.onRefused(status, status === 500 ? messageOf(error) : message);
      refuse(request, response, status, asked ?? 'protobuf', message);
    }
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => void serve(request, response);
  const server = options.tls === null ? createServer(listener) : createTlsServer(options.tls, listener);
  server.headersTimeout = 5000;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** Refuses a request by its head. */
function checkHead(request: IncomingMessage, token: string | null): OtlpEncoding {
  const { headers } = request;
  // Collectors send none; a page of a browser does.
  if (headers.origin !== undefined) throw new HttpRefusal(403, 'foreign-origin', 'pages may not send profiles');
  if (request.url?.split('?')[0] !== PATH) throw new HttpRefusal(404, 'not-found', `profiles go to ${PATH}`);
  requireMethod(request, 'POST');
  if (token !== null && !isSame(headers.authorization ?? '', `Bearer ${token}`)) {
    throw new HttpRefusal(401, 'no-token', 'the header Authorization needs "Bearer" and the token');
  }
  const encoding = encodingOf(request);
  if (encoding === null) {
    throw new HttpRefusal(415, 'wrong-type', `Content-Type must be ${Object.values(CONTENT_TYPES).join(' or ')}`);
  }
  if (!['', 'identity', 'gzip'].includes(codingOf(request))) {
    throw new HttpRefusal(415, 'wrong-coding', 'Content-Encoding must be gzip or identity');
  }
  const version = headers[VERSION.header];
  if (version !== undefined && version !== VERSION.value) {
    throw new HttpRefusal(400, 'wrong-version', `${VERSION.header} must be ${VERSION.value}`);
  }
  return encoding;
}

function encodingOf({ headers }: IncomingMessage): OtlpEncoding | null {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type === CONTENT_TYPES.json) return 'json';
  return type === CONTENT_TYPES.protobuf ? 'protobuf' : null;
}

const codingOf = ({ headers }: IncomingMessage): string => (headers['content-encoding'] ?? '').trim().toLowerCase();

/** Compares in a time that does not tell where texts differ. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const sent = readBody(request, { maxBytes, ...BODY_TIMES });
  const meter = new UnwrapMeter({ what: 'the body', remedy: '', maxBytes });
  const chunks: Uint8Array[] = [];
  for await (const chunk of codingOf(request) === 'gzip' ? gunzip(sent, meter) : sent) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function statusOf(error: unknown): number {
  if (error instanceof HttpRefusal) return error.status;
  if (error instanceof ImportFailure) return error.failure === 'too-large' ? 413 : 400;
  if (!(error instanceof EngineFailure)) return 500;
  if (error.code === 'too-large') return 413;
  return error.code === 'upload-broken' ? 400 : 503;
}

/** Returns an `ExportProfilesServiceResponse`, which says nothing unless profiles were rejected. */
function receiptOf(encoding: OtlpEncoding, rejected: number, reason: string): Uint8Array {
  if (encoding === 'json') {
    const partialSuccess = { rejectedProfiles: String(rejected), errorMessage: reason };
    return Buffer.from(JSON.stringify(rejected === 0 ? {} : { partialSuccess }));
  }
  if (rejected === 0) return new Uint8Array();
  const partial = new WireMessage().number(1, rejected).text(2, reason);
  return new WireMessage().message(1, partial.bytes).bytes;
}

function respond(response: ServerResponse, status: number, encoding: OtlpEncoding, body: Uint8Array): void {
  response.writeHead(status, { 'content-type': CONTENT_TYPES[encoding], 'content-length': body.length }).end(body);
}

/** Answers with a google.rpc.Status; a client that still sends loses its connection afterwards. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  encoding: OtlpEncoding,
  message: string,
): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (status === 405) response.setHeader('allow', 'POST');
  if (status === 503) response.setHeader('retry-after', RETRY_AFTER);
  const code = CODES.get(status) ?? 2;
  respond(
    response,
    status,
    encoding,
    encoding === 'json'
      ? Buffer.from(JSON.stringify({ code, message }))
      : new WireMessage().number(1, code).text(2, message).bytes,
  );
  if (request.complete) return;
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, LINGER_MS).unref();
}
