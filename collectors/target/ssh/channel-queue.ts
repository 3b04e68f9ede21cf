import { ConnectionFailure } from '../connection.ts';
import { Pace } from './pace.ts';

/**
 * Maximum concurrent channels of one master: OpenSSH's default for MaxSessions is 10, and the user may have two of
 * their own.
 */
const MAX_CHANNELS = 8;
/** Milliseconds that a command waits for its turn while no other command ends, multiplied by the host's slowness. */
const MAX_WAIT_MS = 20_000;
/** The same for a host that accepts one session: whatever keeps it usually waits for what comes next. */
const MAX_WAIT_ALONE_MS = 4000;
/** A server may count a session a moment longer than its client does. */
const MAX_REFUSALS = 5;
const RETRY_MS = 200;

/** The host refused another session. */
export class SessionRefused extends Error {}

/** Limits the number of open channels to what the host accepts. */
export class ChannelQueue {
  readonly #host: string;
  readonly #pace: Pace;
  readonly #events: { full?(): void; alone?(): void };
  #limit = MAX_CHANNELS;
  #open = 0;
  #releasedAt = 0;
  readonly #waiting: (() => void)[] = [];

  /** `events.full` may close channels that are only kept for later; `alone` is called if the host accepts one session. */
  constructor(host: string, pace = new Pace(), events: { full?(): void; alone?(): void } = {}) {
    this.#host = host;
    this.#pace = pace;
    this.#events = events;
  }

  /**
   * Runs `start` once there is a free channel, and again later if it rejects with {@link SessionRefused}. `release`
   * must be called when its channel is closed. Rejects if no channel becomes free.
   */
  async open<T>(start: (release: () => void) => Promise<T>): Promise<T> {
    let refusals = 0;
    for (;;) {
      await this.#takeRoom();
      let isOpen = true;
      const release = (): void => {
        if (!isOpen) return;
        isOpen = false;
        this.#open -= 1;
        this.#releasedAt = performance.now();
        this.#waiting.shift()?.();
      };
      try {
        return await start(release);
      } catch (error) {
        const isRefused = error instanceof SessionRefused;
        // A refused channel may have been released already.
        const others = this.#open - (isOpen ? 1 : 0);
        if (isRefused) this.#limit = Math.max(1, Math.min(this.#limit, others));
        if (isRefused && others === 1) this.#events.alone?.();
        release();
        if (!isRefused) throw error;
        if (others > 0) continue;
        refusals += 1;
        if (refusals === MAX_REFUSALS) throw this.#refusal('accepts no session on this connection');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #takeRoom(): Promise<void> {
    while (this.#open >= this.#limit) {
      this.#events.full?.();
      if (await this.#turn()) continue;
      throw this.#refusal(`accepts ${this.#limit} session${this.#limit === 1 ? '' : 's'} at once, and all are in use`);
    }
    this.#open += 1;
  }

  /** Returns false if nothing ends for too long. */
  #turn(): Promise<boolean> {
    return new Promise((resolve) => {
      const since = performance.now();
      const { slowestMs, slowness } = this.#pace;
      const limit = this.#limit === 1 ? MAX_WAIT_ALONE_MS + slowestMs : MAX_WAIT_MS * slowness;
      const turn = (): void => {
        clearInterval(timer);
        resolve(true);
      };
      const timer = setInterval(() => {
        if (performance.now() - Math.max(since, this.#releasedAt) < limit) return;
        clearInterval(timer);
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        resolve(false);
      }, RETRY_MS);
      this.#waiting.push(turn);
    });
  }

  #refusal(what: string): ConnectionFailure {
    return new ConnectionFailure(
      `${this.#host} ${what}`,
      'Wait until a command there finishes, or raise MaxSessions in its sshd_config',
    );
  }
}
