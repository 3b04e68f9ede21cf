import { readText } from './read-texts.ts';
import type { Target } from './target.ts';

/** An address at which a process listens, as reachable from the target itself. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  /** It listens on all addresses; `host` is the loopback's. */
  readonly isWildcard?: true;
}

export interface Reached {
  readonly listeners: readonly Listener[];
  /** The process has its own network namespace, as in a container. */
  readonly isContained: boolean;
}

/** Returns the addresses at which a process listens, as seen in its own network; null if they can't be read. */
export async function listenersWithin(target: Target, pid: number): Promise<Listener[] | null> {
  const names = await target.listDirectory(`/proc/${pid}/fd`).catch(() => null);
  if (names === null) return null;
  const links = await target.readLinks(names.map((name) => `/proc/${pid}/fd/${name}`));
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link ?? '')?.[1] ?? []));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readNetFile(target, pid, name)));
  return parseListeners(tables.join('\n'), inodes);
}

/** Returns the reason if the ports can't be determined, or can't be reached from outside the process's own network. */
export async function listListeners(
  target: Target,
  pid: number,
): Promise<Reached | { readonly problem: string; readonly remedy: string }> {
  const [listeners, [own, theirs]] = await Promise.all([
    listenersWithin(target, pid),
    target.readLinks(['/proc/self/ns/net', `/proc/${pid}/ns/net`]),
  ]);
  if (listeners === null) {
    return { problem: `the ports of process ${pid} can’t be read: it belongs to another user`, remedy: 'give its URL' };
  }
  const isContained = isApart(own, theirs);
  if (!isContained || listeners.length === 0) return { listeners, isContained };
  const routes = await readNetFile(target, pid, 'fib_trie');
  const reachable = atNetworkAddresses(listeners, parseOwnAddresses(routes));
  if (reachable.length > 0) return { listeners: reachable, isContained };
  const ports = listeners.map(({ port }) => port).join(', ');
  return {
    problem: `process ${pid} has its own network, as containers do, in which nothing outside reaches port ${ports}`,
    remedy: 'let it listen on 0.0.0.0 or publish the port, and give its URL',
  };
}

/** Returns whether two network namespaces, as links of /proc, are known and differ. */
const isApart = (own: string | null | undefined, theirs: string | null | undefined): boolean =>
  typeof own === 'string' && typeof theirs === 'string' && own !== theirs;

const readNetFile = (target: Target, pid: number, name: string): Promise<string> =>
  readText(target, `/proc/${pid}/net/${name}`);

/** Returns the IPv4 addresses of a process's own network; null if it shares the target's, or that can't be read. */
export async function ownAddresses(target: Target, pid: number): Promise<string[] | null> {
  const [own, theirs] = await target.readLinks(['/proc/self/ns/net', `/proc/${pid}/ns/net`]);
  return isApart(own, theirs) ? parseOwnAddresses(await readNetFile(target, pid, 'fib_trie')) : null;
}

const LOOPBACK = /^(?:127\.|\[::1\]$|\[0:0:0:0:0:0:0:1\]$)/;

/** Replaces wildcard addresses, which {@link parseListeners} gives as the loopback's, by the network's addresses. */
function atNetworkAddresses(listeners: readonly Listener[], addresses: readonly string[]): Listener[] {
  return listeners.flatMap((listener) => {
    if (listener.isWildcard === true) return addresses.map((host) => ({ ...listener, host }));
    return LOOPBACK.test(listener.host) ? [] : [listener];
  });
}

/** Returns a network namespace's own IPv4 addresses from `/proc/<pid>/net/fib_trie`, without the loopback. */
export function parseOwnAddresses(text: string): string[] {
  const found = [...text.matchAll(/\|-- (\d{1,3}(?:\.\d{1,3}){3})\n\s+\/32 host LOCAL$/gm)].map(
    ([, address]) => address!,
  );
  return [...new Set(found)].filter((address) => !LOOPBACK.test(address));
}

/**
 * Parses the lines of /proc/net/tcp and tcp6 in state LISTEN (0A) with one of `inodes` (null: any); a wildcard address becomes the
 * loopback's.
 */
export function parseListeners(text: string, inodes: ReadonlySet<string> | null): Listener[] {
  const found = new Map<string, Listener>();
  for (const line of text.split('\n')) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    if (state !== '0A' || inodes?.has(inode) === false || !/^(?:[0-9A-F]{8}|[0-9A-F]{32}):[0-9A-F]{4}$/.test(local))
      continue;
    const host = hostOf(address);
    const isWildcard = /^0+$/.test(address);
    const listener = { host, port: Number.parseInt(port, 16), ...(isWildcard ? { isWildcard: true as const } : {}) };
    const key = `${host}:${listener.port}`;
    if (found.get(key)?.isWildcard !== true) found.set(key, listener);
  }
  return [...found.values()];
}

/**
 * The kernel prints 32-bit words in the machine's byte order; every machine on which Go profiles run is little-endian.
 */
function hostOf(address: string): string {
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).toReversed());
  const values = bytes.map((byte) => Number.parseInt(byte, 16));
  if (values.every((value) => value === 0)) return '127.0.0.1';
  if (values.length === 4) return values.join('.');
  if (values.slice(0, 10).every((value) => value === 0) && values[10] === 255) return values.slice(12).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => ((values[at * 2]! << 8) | values[at * 2 + 1]!).toString(16));
  return `[${groups.join(':')}]`;
}
