import { hostname, networkInterfaces } from 'node:os';
import { isLoopbackHost } from '#core/contract/loopback-host.ts';
import { EngineFailure } from '../failure.ts';

/** Throws an `EngineFailure` unless the text is an http or https URL that no tool takes for an option. */
export function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || text.startsWith('-')) {
    throw new EngineFailure(
      'invalid-url',
      `${JSON.stringify(text.slice(0, 200))} is not an http or https URL.`,
      'Write it as http://host:port/path.',
    );
  }
}

/** Returns whether a URL's host is this machine's name or one of its addresses. */
export function isOwn(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const addresses = Object.values(networkInterfaces()).flatMap((of = []) => of.map(({ address }) => address));
  return host === hostname() || addresses.includes(host);
}

/** Returns whether a URL is of this machine's loopback. */
export const isLoopback = (url: string): boolean => isLoopbackHost(new URL(url).hostname);
