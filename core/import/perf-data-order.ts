import { release } from '../model/release.ts';

/** Held back at once before the older half is let go: so much lies between two rounds only in files without rounds. */
const MAX_HELD_BYTES = 256 * 2 ** 20;
const FIRST_BYTES = 1 << 12;

/** Takes records in order of their times. `origin`: offset in the file. */
export type RecordHandler = (bytes: Uint8Array, start: number, end: number, origin: number) => void;

/**
 * Puts the records of several processors' buffers into the order of their times, as perf does: what was written before a round's end
 * is complete up to the newest time of the round before. Source: tools/perf/util/ordered-events.c in the kernel.
 */
export class RoundQueue {
  /** Records that came after later ones had been let go. */
  lateRecords = 0;
  readonly #handle: RecordHandler;
  #bytes = new Uint8Array(FIRST_BYTES);
  #filled = 0;
  /** By held record. */
  #times: number[] = [];
  #starts: number[] = [];
  #origins: number[] = [];
  #isSorted = true;
  #newest = -Infinity;
  /** What the next end of a round lets go: everything up to here. */
  #complete = -Infinity;
  #lastOut = -Infinity;

  constructor(handle: RecordHandler) {
    this.#handle = handle;
  }

  /** Copies the record. `time`: in nanoseconds, of any origin. */
  add(time: number, record: Uint8Array, origin: number): void {
    if (this.#filled + record.length > MAX_HELD_BYTES) this.#release(this.#medianTime());
    if (this.#filled + record.length > this.#bytes.length) this.#grow(this.#filled + record.length);
    this.#bytes.set(record, this.#filled);
    this.#starts.push(this.#filled);
    this.#times.push(time);
    this.#origins.push(origin);
    this.#filled += record.length;
    if (time < this.#newest) this.#isSorted = false;
    else this.#newest = time;
    if (time < this.#lastOut) this.lateRecords += 1;
  }

  endRound(): void {
    this.#release(this.#complete);
    this.#complete = this.#newest;
  }

  finish(): void {
    this.#release(Infinity);
    release(this.#bytes);
    this.#bytes = new Uint8Array(0);
  }

  /** Hands over what is not later than `limit`. */
  #release(limit: number): void {
    const times = this.#times;
    const count = times.length;
    if (count === 0) return;
    const order = Uint32Array.from(times, (_, index) => index);
    // Equal times keep their order.
    if (!this.#isSorted) order.sort((a, b) => times[a]! - times[b]! || a - b);
    const bytes = this.#bytes;
    const starts = this.#starts;
    const origins = this.#origins;
    const ends = [...starts.slice(1), this.#filled];
    this.#reset();
    for (const index of order) {
      const start = starts[index]!;
      const end = ends[index]!;
      const time = times[index]!;
      if (time <= limit) {
        this.#lastOut = Math.max(this.#lastOut, time);
        this.#handle(bytes, start, end, origins[index]!);
      } else {
        this.#hold(time, bytes, start, end, origins[index]!);
      }
    }
  }

  /** What stays is in order. */
  #hold(time: number, from: Uint8Array, start: number, end: number, origin: number): void {
    if (this.#bytes === from) this.#bytes = new Uint8Array(from.length);
    this.#bytes.set(from.subarray(start, end), this.#filled);
    this.#starts.push(this.#filled);
    this.#times.push(time);
    this.#origins.push(origin);
    this.#filled += end - start;
  }

  #reset(): void {
    this.#filled = 0;
    this.#times = [];
    this.#starts = [];
    this.#origins = [];
    this.#isSorted = true;
  }

  #medianTime(): number {
    const times = Float64Array.from(this.#times).sort();
    return times[times.length >> 1] ?? Infinity;
  }

  #grow(needed: number): void {
    const longer = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    longer.set(this.#bytes.subarray(0, this.#filled));
    this.#bytes = longer;
  }
}
