/** Seconds over which sample rates are averaged. */
const RATE_SECONDS = 3;
/** Readings over which CPU time is averaged: a clock tick is 10 ms. */
const CPU_READINGS = 10;

/** The rates of a live session. Times are milliseconds of the monotonic clock. */
export class LiveRates {
  readonly #startedAt: number;
  /** Samples by the time of their update. */
  #recent: { readonly at: number; readonly samples: number }[] = [];
  #cpu: { readonly at: number; readonly seconds: number }[] = [];

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  addSamples(samples: number, now: number): void {
    this.#recent.push({ at: now, samples });
  }

  /** Forgets the samples so far. */
  reset(): void {
    this.#recent = [];
  }

  /** The collector begins again, and its CPU time with it. */
  restart(): void {
    this.#cpu = [];
  }

  samplesPerSecond(now: number): number {
    this.#recent = this.#recent.filter(({ at }) => now - at < RATE_SECONDS * 1000);
    const seconds = Math.min(RATE_SECONDS, Math.max(0.5, (now - this.#startedAt) / 1000));
    return this.#recent.reduce((sum, { samples }) => sum + samples, 0) / seconds;
  }

  /** Takes a reading of a growing CPU time and returns its recent average in CPUs; null after the first reading. */
  cpus(seconds: number, now: number): number | null {
    const [first] = this.#cpu;
    this.#cpu = [...this.#cpu, { at: now, seconds }].slice(-CPU_READINGS);
    return first === undefined || seconds < first.seconds
      ? null
      : (seconds - first.seconds) / ((now - first.at) / 1000);
  }
}
