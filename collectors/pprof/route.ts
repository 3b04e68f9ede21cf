import { portOf } from '../fetch/url-port.ts';
import type { ForwardedPort, Target } from '../target/target.ts';

interface Route {
  /** Absent: the URL's own host. */
  readonly via?: ForwardedPort['address'];
  close(): Promise<void>;
}

/**
 * Makes a URL as seen from the target reachable from here: another host's through its connection, by a socket that only
 * this user may open.
 */
export async function openRoute(target: Target, url: string): Promise<Route> {
  if (target.kind === 'local') return { close: () => Promise.resolve() };
  const seen = new URL(url);
  const forwarded = await target.forwardPort(portOf(seen), seen.hostname);
  return { via: forwarded.address, close: () => forwarded.close() };
}
