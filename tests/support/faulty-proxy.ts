import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of the client: where it goes, and what it does. */
type Fault = 'cut before' | 'cut after' | 'deny';

export interface FaultyProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Forwards HTTP requests to a port of this machine, and cuts the connection of the first whose address contains the
 * text: before the server gets it, or when it has answered. `deny` answers each of them as a server does whose user lacks a
 * right.
 */
export async function faultyProxy(target: number, fault: Fault, text: string): Promise<FaultyProxy> {
  let isDue = true;
  const server = createServer((incoming, outgoing) => {
    const isCut =
      isDue &&
      decodeURIComponent(incoming.url ?? '')
        .replaceAll('+', ' ')
        .includes(text);
    if (isCut && fault === 'deny') {
      outgoing.writeHead(403).end('Code: 497. DB::Exception: ada: Not enough privileges. (ACCESS_DENIED)\n');
      return;
    }
    if (isCut) isDue = false;
    if (isCut && fault === 'cut before') {
      incoming.socket.destroy();
      return;
    }
    const { method, url, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
      if (isCut) {
        answer.resume().on('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
