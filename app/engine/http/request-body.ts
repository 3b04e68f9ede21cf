import type { IncomingMessage } from 'node:http';
import { EngineFailure } from '../failure.ts';

interface BodyLimits {
  readonly maxBytes: number;
  /** Maximum time to wait for the next bytes, in ms. */
  readonly idleMs: number;
  /** Maximum time for the whole body, in ms. */
  readonly totalMs: number;
}

/** Limits for the parameters of an RPC: names, options and notes. */
const JSON_BODY: BodyLimits = { maxBytes: 2 << 20, idleMs: 10_000, totalMs: 30_000 };
/** Limits for files. Larger files cannot be opened; a slow link over `ssh -L` may pause. */
export const FILE_BODY: BodyLimits = { maxBytes: 16 * 2 ** 30, idleMs: 60_000, totalMs: 24 * 3_600_000 };
/** Limits for clients without a session. */
export const TOKEN_BODY: BodyLimits = { maxBytes: 4096, idleMs: 5000, totalMs: 5000 };

const tooLarge = ({ maxBytes }: BodyLimits): EngineFailure =>
  new EngineFailure('too-large', `The request is larger than ${maxBytes} bytes.`, 'Send less.');

/**
 * Yields the body as it arrives. Throws if it is too large, stalls or ends early. The connection stays open for the
 * answer.
 */
export async function* readBody(request: IncomingMessage, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits);
  let bytes = 0;
  let stalled = false;
  const start = performance.now();
  const startClock = (): NodeJS.Timeout => {
    const left = limits.totalMs - (performance.now() - start);
    const stop = (): void => {
      stalled = true;
      request.destroy();
    };
    return setTimeout(stop, Math.max(0, Math.min(limits.idleMs, left)));
  };
  let clock = startClock();
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      clearTimeout(clock);
      bytes += chunk.length;
      if (bytes > limits.maxBytes) throw tooLarge(limits);
      yield chunk;
      // The timer runs only while waiting for input, because the consumer may be slower than the sender.
      clock = startClock();
    }
  } catch (error) {
    if (error instanceof EngineFailure) throw error;
    const why = stalled ? 'stalled' : 'broke off';
    throw new EngineFailure('upload-broken', `The upload ${why} after ${bytes} bytes.`, 'Try again.', {
      cause: error,
    });
  } finally {
    clearTimeout(clock);
  }
}

/** Returns a JSON body; throws `invalid-arguments` if it is not JSON. */
export async function readJson(request: IncomingMessage, limits: BodyLimits = JSON_BODY): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBody(request, limits)) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : '';
    throw new EngineFailure('invalid-arguments', `The request's body is not JSON: ${reason}`);
  }
}
