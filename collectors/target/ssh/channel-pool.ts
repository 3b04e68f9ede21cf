import type { ChildProcessWithoutNullStreams } from '../../effects/start-program.ts';
import { SLOW_LOGIN_MS, type Pace } from './pace.ts';

/** Maximum channels that are opened ahead, and that are open in all: OpenSSH's default for MaxSessions. */
const MAX_READY = 5;
const MAX_SESSIONS = 10;
/** Milliseconds that the first channel's login may take before more channels are opened ahead. */
const OPEN_AHEAD_MS = 1000;
/** Milliseconds without a request for a channel after which unused ones are closed. */
const READY_MS = 60_000;

/** The channels of a connection. If the login shell is slow, some are opened ahead, where the server allows it. */
export class ChannelPool {
  readonly #start: () => ChildProcessWithoutNullStreams;
  readonly #pace: Pace;
  readonly #open = new Set<ChildProcessWithoutNullStreams>();
  /** Unused channels, oldest first. */
  #ready: ChildProcessWithoutNullStreams[] = [];
  #maxReady = MAX_READY;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: () => ChildProcessWithoutNullStreams, pace: Pace) {
    this.#start = start;
    this.#pace = pace;
  }

  take(): ChildProcessWithoutNullStreams {
    const child = this.#ready.shift() ?? this.#openOne();
    clearTimeout(this.#timer);
    if (this.#pace.slowestMs >= SLOW_LOGIN_MS) this.#openAhead();
    else if (this.#pace.slowestMs === 0) {
      this.#timer = setTimeout(() => this.#pace.slowestMs === 0 && this.#openAhead(), OPEN_AHEAD_MS).unref();
    }
    return child;
  }

  /** Closes the newest unused channel; resolves when its session has ended. */
  async closeUnused(): Promise<void> {
    const unused = this.#ready.pop();
    if (unused === undefined) return;
    const ended = new Promise((resolve) => unused.once('exit', resolve));
    unused.kill();
    await ended;
  }

  /** Must be called when the connection, and so every channel, has ended. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#ready = [];
    this.#maxReady = MAX_READY;
  }

  #openOne(): ChildProcessWithoutNullStreams {
    const child = this.#start();
    this.#open.add(child);
    child.once('close', () => this.#open.delete(child));
    return child;
  }

  /** Opens channels concurrently, so that only the first login has to be waited for. */
  #openAhead(): void {
    while (this.#ready.length < this.#maxReady && this.#open.size < MAX_SESSIONS) {
      const child = this.#openOne();
      this.#ready.push(child);
      child.once('exit', () => {
        if (!this.#ready.includes(child)) return;
        // The server accepts no further session.
        this.#maxReady = 0;
        this.#ready = this.#ready.filter((each) => each !== child);
      });
    }
    this.#timer = setTimeout(() => this.#ready.splice(0).forEach((child) => child.kill()), READY_MS).unref();
  }
}
