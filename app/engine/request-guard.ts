import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Any port, so that `ssh -L` works; no other name, so that a DNS name rebound to 127.0.0.1 doesn't. */
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Two Host headers are one too many (RFC 9112 3.2). */
export function isLoopbackHost({ headersDistinct }: IncomingMessage): boolean {
  const [host, ...more] = headersDistinct.host ?? [];
  return host !== undefined && more.length === 0 && LOOPBACK_HOST.test(host);
}

/** The page that asks is one that this engine served. */
export const isSameOrigin = ({ origin, host }: IncomingHttpHeaders): boolean => origin === `http://${host}`;

/** Browsers send no Origin with a GET to one's own origin; where one is sent, or Fetch Metadata is, they must say the same. */
export function isSameOriginRead(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return (headers.origin === undefined || isSameOrigin(headers)) && (site === undefined || site === 'same-origin');
}
