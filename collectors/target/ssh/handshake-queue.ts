/**
 * Maximum concurrent handshakes with one server, which may be the jump host of many: OpenSSH starts to drop logins at
 * 10 (MaxStartups).
 */
const MAX_HANDSHAKES = 5;

interface Server {
  running: number;
  readonly waiting: (() => void)[];
}

/** Prevents many connections that start together from being taken for an attack. */
export class HandshakeQueue {
  readonly #servers = new Map<string, Server>();

  /**
   * Resolves when it is the caller's turn, or when `signal` ends the wait. The result releases the turn; calling it
   * again has no effect.
   */
  async turn(name: string, signal: AbortSignal): Promise<() => void> {
    const server = this.#servers.get(name) ?? { running: 0, waiting: [] };
    this.#servers.set(name, server);
    if (server.running < MAX_HANDSHAKES) server.running += 1;
    else if (!(await wait(server.waiting, signal))) return () => {};
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      const next = server.waiting.shift();
      if (next !== undefined) return next();
      server.running -= 1;
      if (server.running === 0) this.#servers.delete(name);
    };
  }
}

/** Returns false if the signal came first. */
function wait(waiting: (() => void)[], signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const turn = (): void => {
      signal.removeEventListener('abort', giveUp);
      resolve(true);
    };
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(turn), 1);
      resolve(false);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    waiting.push(turn);
  });
}
