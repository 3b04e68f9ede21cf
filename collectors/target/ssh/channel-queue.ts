import { ConnectionFailure } from '../connection.ts';

/**
 * Maximum concurrent channels of one master: OpenSSH's default for MaxSessions is 10, and the user may have two of
 * their own.
 */
const MAX_CHANNELS = 8;
/** Milliseconds that a command waits for its turn while no other command ends, multiplied by the host's slowness. */
const MAX_WAIT_MS = 20_000;
/** A server may count a session a moment longer than its client does. */
const MAX_REFUSALS = 5;
const RETRY_MS = 200;

/** The host refused another session. */
export class SessionRefused extends Error {}

/** Limits the number of open channels to what the host accepts. */
export class ChannelQueue {
  readonly #host: string;
  readonly #slowness: () => number;
  #limit = MAX_CHANNELS;
  #open = 0;
  #releasedAt = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(host: string, slowness = () => 1) {
    this.#host = host;
    this.#slowness = slowness;
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
        const others = this.#open - 1;
        if (isRefused) this.#limit = Math.max(1, Math.min(this.#limit, others));
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
      if (await this.#turn()) continue;
      throw this.#refusal(`accepts ${this.#limit} session${this.#limit === 1 ? '' : 's'} at once, and all are in use`);
    }
    this.#open += 1;
  }

  /** Returns false if nothing ends for too long. */
  #turn(): Promise<boolean> {
    return new Promise((resolve) => {
      const since = performance.now();
      const turn = (): void => {
        clearInterval(timer);
        resolve(true);
      };
      const timer = setInterval(() => {
        if (performance.now() - Math.max(since, this.#releasedAt) < MAX_WAIT_MS * this.#slowness()) return;
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
