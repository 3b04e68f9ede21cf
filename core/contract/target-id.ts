/** Where captures are made: this machine, or a host that the user's ssh client reaches. */
type TargetAddress = { readonly kind: 'local' } | ({ readonly kind: 'ssh' } & SshDestination);

export interface SshDestination {
  /** Null: from ~/.ssh/config, otherwise the local user's name. */
  readonly user: string | null;
  /** A name, an address, or a `Host` of ~/.ssh/config; IPv6 without brackets. */
  readonly host: string;
  /** Null: from ~/.ssh/config, otherwise 22. */
  readonly port: number | null;
}

/** The text does not name a target. `message` is one line. */
export class TargetIdFailure extends Error {}

export const LOCAL_TARGET = 'local';

/** RFC 1035 allows 253 for names; paths of sockets in IPv6 zones and user names need more. */
export const MAX_TARGET_ID = 400;
/**
 * Characters that OpenSSH 9.6 rejects in names that reach ProxyCommand's shell (valid_hostname and valid_ruser in
 * ssh.c), plus spaces and controls.
 */
const UNSAFE_HOST = /[\s\p{Cc}\p{Cf}'"`$\\;&<>|(){}/?#@%!*]/u;
const UNSAFE_USER = /[\s\p{Cc}\p{Cf}'"`;&<>|(){}/?#:$!*]/u;
/** An IPv6 address, with an optional zone. */
const IPV6 = /^[0-9a-f:.]{2,45}(?:%[A-Za-z0-9_.-]{1,32})?$/i;

/**
 * Parses `local` or `ssh://[user@]host[:port]`. Throws a {@link TargetIdFailure}: text that begins with `-`, or that a
 * shell would read as more than a name, never reaches an ssh command line.
 */
export function parseTargetId(text: string): TargetAddress {
  if (text === LOCAL_TARGET) return { kind: 'local' };
  const shown = showText(text);
  const match = /^ssh:\/\/(?:([^/]*)@)?(\[[^\]/@]*\]|[^:[\]/@]*)(?::([^/@]*))?\/?$/i.exec(text);
  if (/^(?:docker|podman|kubectl):\/\//i.test(text)) {
    throw new TargetIdFailure(
      `${shown} is a container, not a host: it is a target of record perf, record pprof and the Record dialog`,
    );
  }
  if (match === null || text.length > MAX_TARGET_ID) {
    throw new TargetIdFailure(`${shown} is not a target: give local or ssh://[user@]host[:port]`);
  }
  const [, user, hostPart = '', portPart] = match;
  return {
    kind: 'ssh',
    user: user === undefined ? null : readUser(user, shown),
    host: readHost(hostPart, shown),
    port: portPart === undefined ? null : readPort(portPart, shown),
  };
}

/** Returns text for a message, without passwords and characters that would change the line. */
const showText = (text: string): string =>
  JSON.stringify(
    text
      .replace(/\/\/[^@]*:[^@]*@/, '//‹redacted›@')
      .slice(0, 80)
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd'),
  );

function readUser(text: string, shown: string): string {
  if (text.includes(':'))
    throw new TargetIdFailure(`${shown} contains a password: ssh asks for it, passwords are never stored`);
  const user = decodePercent(text);
  if (user === null || user === '' || user.startsWith('-') || UNSAFE_USER.test(user) || user.endsWith('\\')) {
    throw new TargetIdFailure(`${shown}: the user name is empty, starts with - or contains invalid characters`);
  }
  return user;
}

function readHost(text: string, shown: string): string {
  const host = text.startsWith('[') ? text.slice(1, -1) : text;
  const isSafe = text.startsWith('[') ? IPV6.test(host) : host !== '' && !UNSAFE_HOST.test(host);
  if (isSafe && !host.startsWith('-')) return host;
  throw new TargetIdFailure(`${shown}: the host name is empty, starts with - or contains invalid characters`);
}

function readPort(text: string, shown: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new TargetIdFailure(`${shown}: the port must be a number from 1 to 65535`);
}

function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns the canonical text of an address in plans, captures, files and on the connection. */
export function formatTargetId(address: TargetAddress): string {
  if (address.kind === 'local') return LOCAL_TARGET;
  const { user, host, port } = address;
  const userPart = user === null ? '' : `${encodeURIComponent(user)}@`;
  return `ssh://${userPart}${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;
}
