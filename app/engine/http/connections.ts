import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** As many connections are kept for those who have shown no session: a browser that loads the page uses six. */
export const MAX_WITHOUT_SESSION = 16;
/** So many more are kept while they are new or being answered. */
const BURST = 240;
/** Milliseconds that a connection has to send its request, however many there are: a burst of them is accepted before any is read. */
const SETTLE_MS = 25;
/** Milliseconds for the other side to take its last answer and to close; then the connection is destroyed, also where its half is still open. */
const LINGER_MS = 1000;

export interface Connections {
  /** Number of connections that have shown no session. */
  readonly withoutSession: number;
  /** Leaves the connection alone from now on: it has a session, or an owner that sees to its end. */
  release(socket: Duplex): void;
}

interface Stranger {
  /** Whether a request on it is being answered. */
  readonly isBusy: boolean;
  /** When it arrived, or was last answered; `performance.now()`. */
  readonly since: number;
}

/**
 * Keeps connections without a session from using up the engine: beyond {@link MAX_WITHOUT_SESSION} the one that has been idle longest is
 * evicted, never the newest, so that a page of the user is answered however many idle connections others hold. Beyond the burst the
 * oldest goes, even if it is being answered.
 */
export function limitConnections(server: Server, hasSession: (request: IncomingMessage) => boolean): Connections {
  /** Longest idle, or longest being answered, first. */
  const strangers = new Map<Duplex, Stranger>();
  let newest: Duplex | null = null;
  let timer: NodeJS.Timeout | null = null;

  function settle(): void {
    timer = null;
    const settled = performance.now() - SETTLE_MS;
    evict(strangers.size - MAX_WITHOUT_SESSION, ({ isBusy, since }) => !isBusy && since <= settled);
    scheduleSettling();
  }

  /** Looks again once there is something idle that may go. */
  function scheduleSettling(): void {
    if (strangers.size <= MAX_WITHOUT_SESSION) return;
    const idle = [...strangers].find(([socket, { isBusy }]) => !isBusy && socket !== newest);
    if (idle !== undefined) timer ??= setTimeout(settle, SETTLE_MS).unref();
  }

  function evict(count: number, isWanted: (stranger: Stranger) => boolean): void {
    let left = count;
    for (const [socket, stranger] of strangers) {
      if (left <= 0) return;
      if (socket === newest || !isWanted(stranger)) continue;
      strangers.delete(socket);
      socket.destroy();
      left -= 1;
    }
  }

  function put(socket: Duplex, isBusy: boolean): void {
    // To the end of the order.
    strangers.delete(socket);
    strangers.set(socket, { isBusy, since: performance.now() });
    scheduleSettling();
  }

  server.on('connection', (socket: Duplex) => {
    newest = socket;
    put(socket, false);
    socket.once('close', () => strangers.delete(socket));
    const excess = (): number => strangers.size - MAX_WITHOUT_SESSION - BURST;
    evict(excess(), ({ isBusy }) => !isBusy);
    evict(excess(), () => true);
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (hasSession(request)) strangers.delete(socket);
    if (!strangers.has(socket)) return;
    put(socket, true);
    response.once('close', () => {
      if (strangers.has(socket)) put(socket, false);
    });
  });
  return {
    get withoutSession() {
      return strangers.size;
    },
    release: (socket) => void strangers.delete(socket),
  };
}

/** Sends the last words of a connection and ends it, also where the other side keeps its half open or reads nothing. */
export function endConnection(socket: Duplex, lastWords: string): void {
  socket.end(lastWords);
  // What still comes is dropped, so that closing doesn't lose the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
