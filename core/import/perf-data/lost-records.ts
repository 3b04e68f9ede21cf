/**
 * Counts samples that perf lost. The kernel reports what did not fit into a ring twice: LOST (2) as it happens, and on
 * Linux 6.0 and later perf 6.1 and later adds LOST_SAMPLES (13) at the end, without a time, with the total
 * (`record__read_lost_samples`, tools/perf/builtin-record.c). LOST_SAMPLES with a time is of samples that the hardware
 * dropped (perf_event_open(2)).
 *
 * What did not fit may also be a record that a thread began or ended, which programs with many short threads make by the
 * thousand. Which it was is not recorded, so losses are divided as the bytes that did fit.
 */
export class LostRecords {
  #ring = 0;
  #told = 0;
  #dropped = 0;
  #sampleBytes = 0;
  #taskBytes = 0;

  addSample(bytes: number): void {
    this.#sampleBytes += bytes;
  }

  /** Takes a record that a thread began or ended. */
  addTask(bytes: number): void {
    this.#taskBytes += bytes;
  }

  /** Takes LOST. Returns how many of these were not reported before. */
  addLost(count: number): number {
    const before = this.records;
    this.#ring += count;
    return this.records - before;
  }

  /** Takes LOST_SAMPLES. Returns how many of these were not reported before. */
  addLostSamples(count: number, hasTime: boolean): number {
    const before = this.records;
    if (hasTime) this.#dropped += count;
    else this.#told += count;
    return this.records - before;
  }

  /** Samples, and records of threads. */
  get records(): number {
    return Math.max(this.#ring, this.#told) + this.#dropped;
  }

  /** The samples among them, as estimated. */
  get samples(): number {
    const all = this.#sampleBytes + this.#taskBytes;
    const share = all === 0 ? 1 : this.#sampleBytes / all;
    return Math.round(Math.max(this.#ring, this.#told) * share) + this.#dropped;
  }
}
