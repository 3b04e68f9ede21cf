import { z } from 'zod';

/** Where captures are made: this machine, or a host that the user's ssh client reaches. */
export type TargetAddress = { readonly kind: 'local' } | ({ readonly kind: 'ssh' } & SshDestination);

export interface SshDestination {
  /** Null: as ~/.ssh/config says, else the name of the user here. */
  readonly user: string | null;
  /** A name, an address, or a `Host` of ~/.ssh/config; IPv6 without brackets. */
  readonly host: string;
  /** Null: as ~/.ssh/config says, else 22. */
  readonly port: number | null;
}

/** Why a text names no target: one line. */
export class TargetIdFailure extends Error {}

export const LOCAL_TARGET = 'local';

/** RFC 1035 allows 253 for names; paths of sockets in IPv6 zones and user names need some more. */
const MAX_ID = 400;
/** What OpenSSH 9.6 refuses in names that reach ProxyCommand's shell (valid_hostname and valid_ruser in ssh.c), blanks and controls. */
const UNSAFE_HOST = /[\s\p{Cc}\p{Cf}'"`$\\;&<>|(){}/?#@%!*]/u;
const UNSAFE_USER = /[\s\p{Cc}\p{Cf}'"`;&<>|(){}/?#:$!*]/u;
/** An IPv6 address, with its zone where it has one. */
const IPV6 = /^[0-9a-f:.]{2,45}(?:%[A-Za-z0-9_.-]{1,32})?$/i;

/**
 * Reads `local` or `ssh://[user@]host[:port]`. Throws a {@link TargetIdFailure}: nothing that begins with `-`, or that a shell would
 * read as more than a name, gets near an ssh command line.
 */
export function parseTargetId(text: string): TargetAddress {
  if (text === LOCAL_TARGET) return { kind: 'local' };
  const shown = showText(text);
  const match = /^ssh:\/\/(?:([^/]*)@)?(\[[^\]/@]*\]|[^:[\]/@]*)(?::([^/@]*))?\/?$/i.exec(text);
  if (match === null || text.length > MAX_ID) {
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

/** For a message: no password, nothing that would change the line. */
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

/** The one text that stands for an address in plans, captures, files and on the connection. */
export function formatTargetId(address: TargetAddress): string {
  if (address.kind === 'local') return LOCAL_TARGET;
  const { user, host, port } = address;
  const userPart = user === null ? '' : `${encodeURIComponent(user)}@`;
  return `ssh://${userPart}${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;
}

/** `local`, or `ssh://…` as {@link formatTargetId} writes it. */
export const targetIdSchema = z
  .string()
  .max(MAX_ID)
  .superRefine((text, context) => {
    try {
      if (formatTargetId(parseTargetId(text)) === text) return;
      context.addIssue('is not in canonical form');
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'is not a target');
    }
  });
