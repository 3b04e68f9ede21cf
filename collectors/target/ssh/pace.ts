/** Milliseconds that a host's login shell may take until our script says hello, if the host has not answered yet. */
const HELLO_MS = 20_000;
/** Milliseconds within which hosts usually start a command, also over slow links. */
const USUAL_MS = 250;
/** A host is not given more than two minutes. */
const MAX_SLOWNESS = 12;
const MAX_HELLO_MS = 120_000;
/** From here on, a login is slow: it is reported, and channels are opened ahead. */
export const SLOW_LOGIN_MS = 2000;
/** Commands of one host take different times while it is busy. */
const SPREAD = 10;

/** How slowly a host starts commands: an emulated or overloaded one takes seconds. Time limits follow it. */
export class Pace {
  #slowestMs = 0;
  #configuredMs = 0;

  /** `ConnectTimeout` of the user's ssh configuration is how long a host may be silent, in seconds. */
  configure(connectTimeout: string | undefined): void {
    const seconds = Number(connectTimeout);
    this.#configuredMs = Number.isFinite(seconds) ? Math.min(seconds * 1000, MAX_HELLO_MS) : 0;
  }

  /** Notes the time from opening a channel to the script's hello. */
  note(helloMs: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, helloMs);
  }

  /** Longest time that a command took to start, in milliseconds; 0 before the first one. */
  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** Longest silence of a host before it says hello, in milliseconds. */
  get helloMs(): number {
    return Math.max(HELLO_MS, this.#configuredMs, Math.min(SPREAD * this.#slowestMs, MAX_HELLO_MS));
  }

  /** See `Target.slowness`. */
  get slowness(): number {
    return Math.min(MAX_SLOWNESS, Math.max(1, this.#slowestMs / USUAL_MS));
  }
}
