import { EngineFailure } from '../failure.ts';

/** A database of a ClickHouse server. */
export interface ServerAddress {
  /** The address without what it need not contain; never a password. */
  readonly name: string;
  /** Where the server's HTTP interface is: `http://host:8123`. */
  readonly url: string;
  /** Letters, digits and underscores. */
  readonly database: string;
  /** The connection is encrypted, or does not leave this machine. */
  readonly isPrivate: boolean;
}

/** The official ports of the HTTP interface. */
const PORTS = { clickhouse: '8123', clickhouses: '8443' } as const;
const FORM = 'clickhouse://HOST:8123/DATABASE, or clickhouses:// for TLS';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether the name of a fleet is an address, not a path. */
export const isServerAddress = (name: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(name);

/** Reads the address of a server. Throws a failure that does not repeat it, because it may contain a password. */
export function readServerAddress(text: string): ServerAddress {
  const scheme = /^(clickhouses?):\/\//i.exec(text)?.[1]?.toLowerCase() as keyof typeof PORTS | undefined;
  if (scheme === undefined) throw refused('a fleet is a file of DuckDB or a database of ClickHouse', FORM);
  const rest = text.slice(scheme.length);
  // Of a scheme that URLs know, hosts are checked; of another one, the port is kept even if it is that scheme's default.
  const [url, given] = [parse(`${scheme.replace('clickhouse', 'http')}${rest}`), parse(`${scheme}${rest}`)];
  if (url === null || given === null) throw refused('invalid address of a fleet', FORM);
  if (url.username !== '' || url.password !== '') {
    throw refused(
      'the address of a fleet must not contain a user or password, which other users of this machine could read',
      'write them to a file and name it with --login or FLAMEBENCH_FLEET_LOGIN; see docs/fleet.md',
    );
  }
  if (url.search !== '' || url.hash !== '') throw refused('the address of a fleet has no options', FORM);
  const database = /^\/([A-Za-z_]\w{0,63})\/?$/.exec(url.pathname)?.[1];
  if (database === undefined) {
    throw refused('the address names no database (letters, digits and underscores)', FORM);
  }
  const host = `${url.hostname}:${given.port || PORTS[scheme]}`;
  return {
    name: `${scheme}://${host}/${database}`,
    url: `${url.protocol}//${host}`,
    database,
    isPrivate: scheme === 'clickhouses' || LOOPBACK.test(url.hostname),
  };
}

const parse = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const refused = (message: string, remedy: string): EngineFailure => new EngineFailure('usage', message, remedy);
