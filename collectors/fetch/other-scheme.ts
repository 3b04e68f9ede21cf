import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ForwardedPort, Target } from '../target/target.ts';
import { portOf } from './url-port.ts';

/** Time for a connection and the first bytes of an answer. Milliseconds. */
const ANSWER_MS = 5000;

export interface OtherScheme {
  /** `port 8080 speaks http, not https`. */
  readonly found: string;
  readonly remedy: string;
}

/**
 * Asks the port of a URL that failed whether it speaks the other scheme, as seen from the target: a TLS handshake for
 * http, a request without a body for https. Null: it does not, or that is unknown.
 */
export async function findOtherScheme(target: Target, text: string): Promise<OtherScheme | null> {
  const url = new URL(text);
  const isTls = url.protocol === 'https:';
  const port = portOf(url);
  try {
    const forwarded = await target.forwardPort(port, url.hostname);
    try {
      const speaksOther = isTls ? await speaksHttp(forwarded, url) : await speaksTls(forwarded, url);
      const [own, other] = isTls ? ['https', 'http'] : ['http', 'https'];
      if (!speaksOther) return null;
      return { found: `port ${port} speaks ${other}, not ${own}`, remedy: `Write the URL with ${other}://.` };
    } finally {
      await forwarded.close();
    }
  } catch {
    return null;
  }
}

function speaksHttp({ address }: ForwardedPort, { host }: URL): Promise<boolean> {
  const socket = connect(address);
  socket.write(`HEAD / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return settled(socket, (settle) =>
    socket.once('data', (bytes) => settle(bytes.subarray(0, 5).toString('latin1') === 'HTTP/')),
  );
}

function speaksTls({ address }: ForwardedPort, { hostname }: URL): Promise<boolean> {
  // Nothing is sent over the connection, so that it does not matter whose certificate it is.
  const name = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: hostname } : {};
  const socket = connectSecurely({ ...address, ...name, rejectUnauthorized: false });
  return settled(socket, (settle) => socket.once('secureConnect', () => settle(true)));
}

/** Resolves with what `listen` settles; false at an error, the end and the deadline. */
function settled(socket: Socket, listen: (settle: (value: boolean) => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(ANSWER_MS, () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
    listen(settle);
  });
}
