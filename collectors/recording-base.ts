import type { Clock, Recording, RecordingOutcome, RecordingProgress } from './collector.ts';
import { isFinal } from './recording-failure.ts';

const PROGRESS_MS = 400;

/** What the user asked for: `stop` keeps the data, `cancel` does not. */
export type Ask = 'stop' | 'cancel';

/** The state, times, timers and listeners that every collector's recording has. */
export abstract class RecordingBase implements Recording {
  readonly outcome: Promise<RecordingOutcome>;
  protected readonly clock: Clock;
  protected ask: Ask | null = null;
  /** Unix epoch milliseconds of the first data. */
  protected startedAt: number | null = null;
  readonly #listeners = new Set<(progress: RecordingProgress) => void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #state: RecordingProgress['state'] = 'preparing';
  /** Milliseconds of the monotonic clock. */
  #begin = 0;
  #end: number | null = null;

  constructor(clock: Clock) {
    this.clock = clock;
    this.outcome = this.#run();
  }

  /** Makes the recording. Must not reject: failures, including those of the start, belong to the outcome. */
  protected abstract record(): Promise<RecordingOutcome>;
  /** Ends what runs; called once for each request that is stronger than the last one. */
  protected abstract end(ask: Ask): void;
  protected abstract counts(): Omit<RecordingProgress, 'state' | 'elapsedMs'>;

  onProgress(listener: (progress: RecordingProgress) => void): void {
    this.#listeners.add(listener);
    listener(this.#progress());
  }

  async stop(): Promise<void> {
    this.askToEnd('stop');
    await this.outcome;
  }

  async cancel(): Promise<void> {
    this.askToEnd('cancel');
    await this.outcome;
  }

  async #run(): Promise<RecordingOutcome> {
    // Lets the subclass set its fields, and the caller add listeners, before anything happens.
    await Promise.resolve();
    const progress = setInterval(() => this.announce(), PROGRESS_MS);
    const outcome = await this.record();
    clearInterval(progress);
    this.clearTimers();
    this.#setState(outcome.state);
    this.#listeners.clear();
    return outcome;
  }

  protected askToEnd(ask: Ask): void {
    if (this.ask === ask || this.ask === 'cancel' || isFinal(this.#state)) return;
    this.ask = ask;
    this.markEnd();
    this.end(ask);
  }

  /** Marks the arrival of the first data. `seconds`: the time after which the recording stops; null if it does not. */
  protected markBegin(seconds: number | null): void {
    this.startedAt = this.clock.now();
    // The end may have been asked for before.
    this.#begin = Math.min(this.clock.monotonic(), this.#end ?? Infinity);
    if (this.#state === 'preparing') this.#setState('recording');
    if (seconds !== null) this.after(seconds * 1000, () => this.askToEnd('stop'));
  }

  /** Marks the end of the data. Only the first call counts. */
  protected markEnd(): void {
    this.#end ??= this.clock.monotonic();
    this.#setState('stopping');
  }

  /** Milliseconds from {@link markBegin} to {@link markEnd}, or to now. */
  protected get elapsedMs(): number {
    return this.startedAt === null ? 0 : (this.#end ?? this.clock.monotonic()) - this.#begin;
  }

  protected announce(): void {
    const progress = this.#progress();
    for (const listener of this.#listeners) listener(progress);
  }

  protected every(ms: number, action: () => void): void {
    this.#timers.add(setInterval(action, ms));
  }

  protected after(ms: number, action: () => void): void {
    this.#timers.add(setTimeout(action, ms));
  }

  /** Cancels what {@link every} and {@link after} planned. */
  protected clearTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
  }

  #setState(state: RecordingProgress['state']): void {
    if (this.#state === state) return;
    this.#state = state;
    this.announce();
  }

  #progress(): RecordingProgress {
    return { state: this.#state, elapsedMs: this.elapsedMs, ...this.counts() };
  }
}
