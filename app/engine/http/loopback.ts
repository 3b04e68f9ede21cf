import { createServer, type Server as SocketServer } from 'node:net';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EngineFailure, errorCode } from '../failure.ts';

export interface LoopbackOptions {
  /** 0: one that is free on both addresses. */
  readonly port: number;
  /** For tests: the IPv6 loopback address. */
  readonly ipv6Address?: string | undefined;
  /** For tests: what to try in place of a random port; 0 leaves the choice to the system. */
  readonly drawPort?: () => number;
}

export interface Loopback {
  readonly port: number;
  /** Whether [::1] is bound, too. False on a machine without IPv6, where nobody can bind it. */
  readonly hasIpv6: boolean;
  /** Stops listening; open connections stay. */
  close(): void;
}

/** Random ports that are free on 127.0.0.1 and taken on [::1] are rare; so many in a row are another fault. */
const MAX_DRAWS = 100;

/**
 * Has `server` answer on 127.0.0.1 and on [::1], at one port. Browsers try [::1] first for names under `.localhost`: another user who listened
 * there would get the page's requests. Rejects with an `EngineFailure` where either is taken.
 */
export async function listenOnLoopback(server: Server, options: LoopbackOptions): Promise<Loopback> {
  const { port, ipv6Address = '::1', drawPort = () => 0 } = options;
  for (let draw = 1; ; draw++) {
    try {
      return await listenOnBoth(server, port === 0 ? drawPort() : port, ipv6Address);
    } catch (error) {
      const isRedrawn = port === 0 && draw < MAX_DRAWS && errorCode(error) === 'EADDRINUSE';
      if (!isRedrawn) throw listenFailure(error, port);
    }
  }
}

async function listenOnBoth(server: Server, port: number, ipv6Address: string): Promise<Loopback> {
  const bound = await listen(server, port, '127.0.0.1');
  // As node:http makes its own: the answer may follow the client's end of the connection.
  const ipv6 = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  const close = (): void => {
    ipv6.close();
    server.close();
  };
  try {
    await listen(ipv6, bound, ipv6Address);
    return { port: bound, hasIpv6: true, close };
  } catch (error) {
    if (isWithoutIpv6(error)) return { port: bound, hasIpv6: false, close };
    close();
    throw error;
  }
}

const isWithoutIpv6 = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'].includes(errorCode(error) ?? '');

/** Resolves to the port. */
function listen(server: SocketServer, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      // What fails later is one connection, such as by a lack of file descriptors; the server goes on.
      server.on('error', () => undefined);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function listenFailure(error: unknown, port: number): EngineFailure {
  const remedy = 'Choose another with --port, or leave it out for a free one.';
  const { address = '127.0.0.1', message } = error as NodeJS.ErrnoException & { address?: string };
  const code = errorCode(error);
  const isIpv6 = address.includes(':');
  if (code === 'EADDRINUSE' && isIpv6) {
    const line = `Port ${port} is in use by another program on [${address}], where browsers look first.`;
    return new EngineFailure('port-taken', line, remedy);
  }
  if (code === 'EADDRINUSE') {
    return new EngineFailure('port-taken', `Port ${port} is in use by another program.`, remedy);
  }
  if (code === 'EACCES') {
    return new EngineFailure('port-refused', `This user may not use port ${port}.`, remedy);
  }
  return new EngineFailure('no-port', `Can't listen on ${address}, port ${port}: ${message}.`, remedy);
}
