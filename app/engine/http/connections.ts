import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Number of connections kept without a session; a browser that loads the page uses six. */
export const MAX_WITHOUT_SESSION = 16;
/** Number of additional connections kept while they are new or being answered. */
const BURST = 240;
/** Time in ms that a connection has to send its request, however many there are. */
const SETTLE_MS = 25;
/**
 * Time in ms for the client to receive the last answer and close; then the connection is destroyed, even if the
 * client's half is open.
 */
const LINGER_MS = 1000;

interface Connections {
  /** Number of connections that have not shown a session. */
  readonly withoutSession: number;
  /** Stops tracking the connection, because it has a session or an owner that closes it. */
  release(socket: Duplex): void;
}

interface Stranger {
  /** True while a request on the connection is being answered. */
  readonly isBusy: boolean;
  /** When it arrived or was last answered, in `performance.now()` ms. */
  readonly since: number;
}

/**
 * Prevents connections without a session from exhausting the engine. Beyond {@link MAX_WITHOUT_SESSION}, the connection
 * that has been idle longest is closed, but never the newest, so that the user's page is answered however many idle
 * connections others hold. Beyond the burst, the oldest is closed even if it is being answered.
 */
export function limitConnections(server: Server, hasSession: (request: IncomingMessage) => boolean): Connections {
  /** Ordered by time idle, or time being answered, longest first. */
  const strangers = new Map<Duplex, Stranger>();
  let newest: Duplex | null = null;
  let isSettling = false;
  let isOverflowing = false;

  function settle(): void {
    isSettling = false;
    const settled = performance.now() - SETTLE_MS;
    evict(strangers.size - MAX_WITHOUT_SESSION, ({ isBusy, since }) => !isBusy && since <= settled);
    scheduleSettling();
  }

  /** Schedules another check for when an idle connection may be closed. */
  function scheduleSettling(): void {
    if (strangers.size <= MAX_WITHOUT_SESSION) return;
    const idle = [...strangers].find(([socket, { isBusy }]) => !isBusy && socket !== newest);
    if (idle === undefined || isSettling) return;
    isSettling = true;
    setTimeout(() => afterReading(settle), SETTLE_MS).unref();
  }

  function overflow(): void {
    isOverflowing = false;
    const excess = (): number => strangers.size - MAX_WITHOUT_SESSION - BURST;
    evict(excess(), ({ isBusy }) => !isBusy);
    evict(excess(), () => true);
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
    // Moves the connection to the end of the order.
    strangers.delete(socket);
    strangers.set(socket, { isBusy, since: performance.now() });
    scheduleSettling();
  }

  server.on('connection', (socket: Duplex) => {
    newest = socket;
    put(socket, false);
    socket.once('close', () => strangers.delete(socket));
    if (isOverflowing || strangers.size <= MAX_WITHOUT_SESSION + BURST) return;
    isOverflowing = true;
    afterReading(overflow);
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

/**
 * Runs `act` once the event loop has read what had arrived: a burst is accepted before any of it is read, and on a busy
 * machine a request may have waited for longer than {@link SETTLE_MS}.
 */
function afterReading(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

/** Sends the last bytes of a connection and ends it, even if the client keeps its half open or reads nothing. */
export function endConnection(socket: Duplex, lastWords: string): void {
  socket.end(lastWords);
  // Discards further input, so that closing does not lose the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
