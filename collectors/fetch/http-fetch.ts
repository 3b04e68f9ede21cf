import type { IncomingMessage } from 'node:http';
import type { PprofOptions } from '#core/contract/pprof.ts';
import type { ForwardedPort } from '../target/target.ts';
import { portOf } from './url-port.ts';
import { explainConnection, explainStatus, PprofFailure } from './explain-failure.ts';

export interface FetchLimits {
  /** Until the connection is established. */
  readonly connectMs: number;
  /** From the request to the head of the answer, in addition to the server's sampling time. */
  readonly headMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** From the first to the last byte of the body. */
  readonly bodyMs: number;
  /** From a stop to the last byte of what is being fetched. */
  readonly stopMs: number;
  readonly bodyBytes: number;
}

/** Profiles of large programs have tens of megabytes, compressed. */
export const FETCH_LIMITS: FetchLimits = {
  connectMs: 10_000,
  headMs: 30_000,
  idleMs: 20_000,
  bodyMs: 300_000,
  stopMs: 3000,
  bodyBytes: 512 << 20,
};

export interface Fetch {
  readonly url: string;
  readonly options: Pick<PprofOptions, 'headers' | 'tls'>;
  /** Address to connect to instead of the URL's host. Absent: the URL's host. */
  readonly via?: ForwardedPort['address'];
  /** Seconds for which the server samples before it answers. */
  readonly seconds?: number;
  readonly signal: AbortSignal;
  readonly limits?: FetchLimits;
  /** Text to send by POST. */
  readonly body?: string;
  /** Called when the request has been sent and the server samples. */
  readonly onSent?: () => void;
  readonly onChunk: (chunk: Uint8Array) => Promise<void>;
}

const MAX_REDIRECTS = 3;
/** Maximum bytes of an error answer. */
const MAX_REFUSAL_BYTES = 4096;

/**
 * Fetches a body piece by piece. Follows redirects on the same origin only. Throws a {@link PprofFailure}; exceptions
 * from `onChunk` and the signal's reason are passed on.
 */
export async function fetchBody(fetch: Fetch): Promise<void> {
  let { url } = fetch;
  for (let redirects = 0; ; redirects++) {
    const answer = await open({ ...fetch, url });
    const { statusCode = 0 } = answer;
    if (statusCode >= 300 && statusCode < 400) {
      answer.destroy();
      if (redirects === MAX_REDIRECTS) {
        throw new PprofFailure('too-many-redirects', `${url} redirects more than ${MAX_REDIRECTS} times`, null);
      }
      url = redirectOf(url, answer.headers.location);
    } else if (statusCode === 200) {
      await readBody(answer, { ...fetch, url });
      return;
    } else {
      throw explainStatus(url, statusCode, await readRefusal(answer));
    }
  }
}

/** Returns the body as text of at most `bytes`. */
export async function fetchText(fetch: Omit<Fetch, 'onChunk'>, bytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  await fetchBody({
    ...fetch,
    limits: { ...(fetch.limits ?? FETCH_LIMITS), bodyBytes: bytes },
    onChunk: (chunk) => Promise.resolve(void chunks.push(chunk)),
  });
  return Buffer.concat(chunks).toString('utf8');
}

function redirectOf(from: string, location: string | undefined): string {
  const target = location === undefined || !URL.canParse(location, from) ? null : new URL(location, from);
  if (target !== null && target.origin === new URL(from).origin) return target.href;
  const where = target === null ? 'nowhere' : target.origin === 'null' ? target.protocol : target.origin;
  throw new PprofFailure(
    'redirected',
    `${from} redirects to ${where}, which was not requested`,
    'use that address if you trust it',
  );
}

async function open({
  url,
  options,
  via,
  seconds = 0,
  signal,
  limits = FETCH_LIMITS,
  body,
  onSent,
}: Fetch): Promise<IncomingMessage> {
  const target = new URL(url);
  const isTls = target.protocol === 'https:';
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const where = via === undefined ? { host: hostname, port: portOf(target) } : viaOptions(via);
  const headers = Object.fromEntries((options.headers ?? []).map(({ name, value }) => [name, value]));
  // Loaded here because Node loads its HTTP and WebSocket clients with it, which other recordings need not wait for.
  const client = await (isTls ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = client.request({
      ...where,
      path: `${target.pathname}${target.search}`,
      method: body === undefined ? 'GET' : 'POST',
      // A reused connection could end during the request.
      agent: false,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'flamebench', ...headers, host: target.host },
      ...(isTls ? tlsOptions(hostname, options.tls) : {}),
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      reject(error);
      request.destroy();
    };
    const abort = (): void => fail(signal.reason as Error);
    const late = (code: string, message: string) => (): void =>
      fail(new PprofFailure(code, message, 'check the address, and that the service is not overloaded'));
    let timer = setTimeout(
      late('timeout', `${target.host} did not answer within ${limits.connectMs / 1000} s`),
      limits.connectMs,
    );
    const waitForHead = (): void => {
      clearTimeout(timer);
      const ms = seconds * 1000 + limits.headMs;
      timer = setTimeout(late('timeout', `${url} sent nothing within ${ms / 1000} s`), ms);
      onSent?.();
    };
    request.once('socket', (socket) => {
      if (socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', waitForHead);
      else waitForHead();
    });
    request.once('error', (error) => fail(explainConnection(url, error)));
    request.once('response', (answer) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // Later errors reach whoever reads the body.
      request.removeAllListeners('error').on('error', () => undefined);
      resolve(answer);
    });
    signal.addEventListener('abort', abort, { once: true });
    request.end(body);
  });
}

const viaOptions = (via: ForwardedPort['address']): object => ('path' in via ? { socketPath: via.path } : via);

function tlsOptions(hostname: string, tls: PprofOptions['tls']): object {
  const isAddress = /^[\d.]+$|:/.test(hostname);
  return {
    ...(isAddress ? {} : { servername: hostname }),
    ...(tls?.certificate === undefined ? {} : { cert: tls.certificate }),
    ...(tls?.key === undefined ? {} : { key: tls.key }),
    ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
  };
}

async function readBody(
  answer: IncomingMessage,
  { url, signal, limits = FETCH_LIMITS, onChunk }: Fetch,
): Promise<void> {
  const declared = Number(answer.headers['content-length'] ?? 0);
  const tooLarge = (): PprofFailure =>
    new PprofFailure(
      'too-large',
      `${url} sends more than ${limits.bodyBytes / 2 ** 20} MiB`,
      'record for a shorter time',
    );
  const end = (error: Error) => (): void => void answer.destroy(error);
  const abort = (): void => void answer.destroy(signal.reason as Error);
  const slow = (ms: number, what: string): PprofFailure =>
    new PprofFailure('timeout', `${url} ${what} ${ms / 1000} s`, 'check the network and the service’s load');
  const whole = setTimeout(end(slow(limits.bodyMs, 'was still sending after')), limits.bodyMs);
  let idle: NodeJS.Timeout | undefined;
  const rearm = (): void => {
    clearTimeout(idle);
    idle = setTimeout(end(slow(limits.idleMs, 'sent nothing for')), limits.idleMs);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    if (declared > limits.bodyBytes) throw tooLarge();
    let bytes = 0;
    rearm();
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > limits.bodyBytes) throw tooLarge();
      clearTimeout(idle);
      await onChunk(chunk);
      rearm();
    }
    if (!answer.complete) throw new Error('aborted');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PprofFailure || !isOfConnection(error)) throw error;
    throw new PprofFailure(
      'connection-lost',
      `${url} ended in the middle of the profile`,
      'record again; the service may have ended',
    );
  } finally {
    clearTimeout(whole);
    clearTimeout(idle);
    signal.removeEventListener('abort', abort);
    answer.destroy();
  }
}

/** Returns whether an error is the connection's; others come from the sink, such as a full disk. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'aborted' || ('code' in error && /^(?:ECONN|HPE_|EPIPE|ERR_)/.test(String(error.code))));

async function readRefusal(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const timer = setTimeout(() => answer.destroy(), 2000);
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // The bytes received so far are enough.
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, MAX_REFUSAL_BYTES);
}
