import { randomInt } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { OWN_HOST_NAME } from '#core/contract/paths.ts';

/**
 * - `own`: the random name of this engine.
 * - `plain`: a name or address that others may have used before. Its page asks for a code; the token of a link is not
 *   accepted there.
 * - `former`: the random name of an earlier run, in a page that is still open.
 * - `foreign`: anything else, such as a DNS name rebound to 127.0.0.1.
 */
type HostKind = 'own' | 'plain' | 'former' | 'foreign';

/** The host names under which the engine answers. */
export interface HostNames {
  /**
   * Sixteen random letters and `.localhost`: this origin has never been used before, so no service worker is registered
   * for it.
   */
  readonly own: string;
  /** Adds a name that is answered as `plain`. */
  allowPlain(name: string): void;
  /** Returns the kind of the Host header's name. Its port is ignored, so that `ssh -L` works. */
  kindOf(request: IncomingMessage): HostKind;
}

const NAME_LETTERS = 16;
/** A name, an IPv4 address, or an IPv6 address in brackets, with an optional port (RFC 9110 7.2). */
const HOST = /^([^\s:[\]@/]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Creates the names of an engine, with `letters` as the first part of its own name; the default is random. */
export function createHostNames(
  plainNames: readonly string[] = [],
  letters: string = randomLetters(NAME_LETTERS),
): HostNames {
  const own = `${letters}.localhost`;
  const plain = new Set(plainNames.map((name) => name.toLowerCase()));
  return {
    own,
    allowPlain: (name) => void plain.add(name.toLowerCase()),
    kindOf({ headersDistinct }) {
      const [host, ...more] = headersDistinct.host ?? [];
      // More than one Host header is invalid (RFC 9112 3.2).
      const name = more.length > 0 ? undefined : HOST.exec(host ?? '')?.[1]?.toLowerCase();
      if (name === undefined) return 'foreign';
      if (name === own) return 'own';
      if (plain.has(name)) return 'plain';
      return OWN_HOST_NAME.test(name) ? 'former' : 'foreign';
    },
  };
}

/** Returns unpredictable letters; 16 of them have 75 bits. */
function randomLetters(count: number): string {
  return Array.from({ length: count }, () => String.fromCodePoint(0x61 + randomInt(26))).join('');
}

/**
 * Returns whether the request is for a service worker's script. A registered worker would answer in place of the engine
 * from then on.
 */
export const isForServiceWorker = ({ headers }: IncomingMessage): boolean =>
  headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker';

/** Returns whether the request comes from a page of this engine. */
export const isSameOrigin = ({ origin, host }: IncomingHttpHeaders): boolean => origin === `http://${host}`;

/**
 * Returns whether a read request comes from a page of this engine. Browsers send no Origin with a GET to the page's own
 * origin; if Origin or Fetch Metadata is sent, it must agree.
 */
export function isSameOriginRead(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return (headers.origin === undefined || isSameOrigin(headers)) && (site === undefined || site === 'same-origin');
}
