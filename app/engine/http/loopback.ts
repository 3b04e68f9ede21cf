import { createServer, type Server as SocketServer, type AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { EngineFailure, errorCode } from '../failure.ts';

export interface LoopbackOptions {
  /** The port; 0 selects one that is free on both addresses. */
  readonly port: number;
  /** For tests: the IPv6 loopback address. */
  readonly ipv6Address?: string | undefined;
  /** For tests: returns the port to try instead of a random one; 0 lets the system choose. */
  readonly drawPort?: () => number;
}

export interface Loopback {
  readonly port: number;
  /** Whether [::1] is bound too. False on machines without IPv6, where nobody can bind it. */
  readonly hasIpv6: boolean;
  /** Stops listening; open connections stay. */
  close(): void;
}

/**
 * Maximum number of attempts. A random port that is free on 127.0.0.1 but taken on [::1] is rare, so this many in a row
 * have another cause.
 */
const MAX_DRAWS = 100;

/**
 * Makes `server` listen on 127.0.0.1 and [::1] with the same port. Browsers try [::1] first for names under
 * `.localhost`, so another user who listened there would receive the page's requests. Rejects with an `EngineFailure`
 * if either is taken.
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
  // The same options as node:http uses: the answer may follow the client's end of the connection.
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

/** Resolves with the port. */
function listen(server: SocketServer, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      // Later errors concern a single connection, such as a lack of file descriptors; the server continues.
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
