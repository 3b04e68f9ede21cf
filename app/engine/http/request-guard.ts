import { randomInt } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { OWN_HOST_NAME } from '#core/contract/contract.ts';

/**
 * - `own`: the random name of this engine.
 * - `plain`: a name or address that anyone may have used before. Its page asks for a code; a link's token is worth nothing there.
 * - `former`: the random name of another run, in a page that outlived it.
 * - `foreign`: everything else, such as a DNS name rebound to 127.0.0.1.
 */
export type HostKind = 'own' | 'plain' | 'former' | 'foreign';

/** The names under which the engine answers. */
export interface HostNames {
  /** Sixteen random letters and `.localhost`: nobody had this origin before, so no service worker is registered for it. */
  readonly own: string;
  /** Answers under this name, too, as `plain`. */
  allowPlain(name: string): void;
  /** What the Host header names, with any port, so that `ssh -L` works. */
  kindOf(request: IncomingMessage): HostKind;
}

const NAME_LETTERS = 16;
/** A name or an IPv4 address, or an IPv6 address in brackets, and a port (RFC 9110 7.2). */
const HOST = /^([^\s:[\]@/]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

export function createHostNames(plainNames: readonly string[] = []): HostNames {
  const own = `${randomLetters(NAME_LETTERS)}.localhost`;
  const plain = new Set(plainNames.map((name) => name.toLowerCase()));
  return {
    own,
    allowPlain: (name) => void plain.add(name.toLowerCase()),
    kindOf({ headersDistinct }) {
      const [host, ...more] = headersDistinct.host ?? [];
      // Two Host headers are one too many (RFC 9112 3.2).
      const name = more.length > 0 ? undefined : HOST.exec(host ?? '')?.[1]?.toLowerCase();
      if (name === undefined) return 'foreign';
      if (name === own) return 'own';
      if (plain.has(name)) return 'plain';
      return OWN_HOST_NAME.test(name) ? 'former' : 'foreign';
    },
  };
}

/** Unpredictable: 16 letters hold 75 bits. */
function randomLetters(count: number): string {
  return Array.from({ length: count }, () => String.fromCodePoint(0x61 + randomInt(26))).join('');
}

/** A worker's script is asked for with this header; one that was registered would answer in the engine's place from then on. */
export const isForServiceWorker = ({ headers }: IncomingMessage): boolean =>
  headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker';

/** The page that asks is one that this engine served. */
export const isSameOrigin = ({ origin, host }: IncomingHttpHeaders): boolean => origin === `http://${host}`;

/** Browsers send no Origin with a GET to one's own origin; where one is sent, or Fetch Metadata is, they must say the same. */
export function isSameOriginRead(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return (headers.origin === undefined || isSameOrigin(headers)) && (site === undefined || site === 'same-origin');
}
