import { release } from '../../model/release.ts';

/**
 * Maximum bytes held back before the older half is released; only files without rounds have this much between two
 * rounds.
 */
const MAX_HELD_BYTES = 128 * 2 ** 20;
const FIRST_BYTES = 1 << 12;
const FIRST_RECORDS = 1 << 6;

/**
 * Receives a record from `start` to before `end`, which is valid until the call returns. `origin` is its offset in the
 * file.
 */
export type RecordHandler = (bytes: Uint8Array, view: DataView, start: number, end: number, origin: number) => void;

/** Adjacent records, with the start of each. */
class HeldRecords {
  length = 0;
  filled = 0;
  bytes = new Uint8Array(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  times = new Float64Array(FIRST_RECORDS);
  starts = new Uint32Array(FIRST_RECORDS + 1);
  origins = new Float64Array(FIRST_RECORDS);
  isSorted = true;

  add(time: number, from: Uint8Array, start: number, end: number, origin: number): void {
    const filled = this.filled + end - start;
    if (filled > this.bytes.length) this.#growBytes(filled);
    if (this.length === this.times.length) this.#growRows();
    if (this.length > 0 && time < this.times[this.length - 1]!) this.isSorted = false;
    // Records are short: creating a view of each would cost more than copying its bytes.
    const { bytes } = this;
    for (let to = this.filled, at = start; at < end; at++, to++) bytes[to] = from[at]!;
    this.filled = filled;
    this.times[this.length] = time;
    this.origins[this.length] = origin;
    this.length += 1;
    this.starts[this.length] = this.filled;
  }

  clear(): void {
    this.length = 0;
    this.filled = 0;
    this.isSorted = true;
  }

  /** Returns rows by time; rows of equal times keep the order in which they arrived. */
  order(): Uint32Array {
    const { length, times } = this;
    const rows = new Uint32Array(length);
    for (let row = 0; row < length; row++) rows[row] = row;
    if (this.isSorted) return rows;
    let first = Infinity;
    let last = -Infinity;
    for (let row = 0; row < length; row++) {
      first = Math.min(first, times[row]!);
      last = Math.max(last, times[row]!);
    }
    if ((last - first + 1) * length > Number.MAX_SAFE_INTEGER)
      return rows.sort((a, b) => times[a]! - times[b]! || a - b);
    // Combines time and row into one number, which sorts several times faster than with a comparison function.
    const keys = new Float64Array(length);
    for (let row = 0; row < length; row++) keys[row] = (times[row]! - first) * length + row;
    keys.sort();
    for (let index = 0; index < length; index++) rows[index] = keys[index]! % length;
    return rows;
  }

  release(): void {
    release(this.bytes);
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
    this.clear();
  }

  #growBytes(needed: number): void {
    const longer = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    longer.set(this.bytes.subarray(0, this.filled));
    this.bytes = longer;
    this.view = new DataView(longer.buffer);
  }

  #growRows(): void {
    const rows = this.times.length * 2;
    const [times, starts, origins] = [new Float64Array(rows), new Uint32Array(rows + 1), new Float64Array(rows)];
    times.set(this.times);
    starts.set(this.starts);
    origins.set(this.origins);
    [this.times, this.starts, this.origins] = [times, starts, origins];
  }
}

/**
 * Sorts the records of several processors' buffers by time, like perf: everything written before the end of a round is
 * complete up to the latest time of the previous round. Source: tools/perf/util/ordered-events.c in the kernel.
 */
export class RoundQueue {
  /** Number of records that arrived after later ones had been released. */
  lateRecords = 0;
  readonly #handle: RecordHandler;
  readonly #maxHeldBytes: number;
  #held = new HeldRecords();
  /** Receives the records that are kept when the others are released. */
  #spare = new HeldRecords();
  #newest = -Infinity;
  /** Time up to which the next end of a round releases records. */
  #complete = -Infinity;
  #lastOut = -Infinity;

  constructor(handle: RecordHandler, maxHeldBytes = MAX_HELD_BYTES) {
    this.#handle = handle;
    this.#maxHeldBytes = maxHeldBytes;
  }

  /** Copies the record from `start` to before `end`. `time` is in nanoseconds, of any origin. */
  add(time: number, bytes: Uint8Array, start: number, end: number, origin: number): void {
    if (this.#held.filled + end - start > this.#maxHeldBytes) this.#letGo(this.#medianTime());
    this.#held.add(time, bytes, start, end, origin);
    if (time > this.#newest) this.#newest = time;
    if (time < this.#lastOut) this.lateRecords += 1;
  }

  endRound(): void {
    this.#letGo(this.#complete);
    this.#complete = this.#newest;
  }

  finish(): void {
    this.#letGo(Infinity);
    this.#held.release();
    this.#spare.release();
  }

  /** Releases the records that are not later than `limit`. */
  #letGo(limit: number): void {
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = this.#spare;
    this.#spare = held;
    const { bytes, view, starts, times, origins } = held;
    for (const row of held.order()) {
      const start = starts[row]!;
      const end = starts[row + 1]!;
      const time = times[row]!;
      if (time <= limit) {
        if (time > this.#lastOut) this.#lastOut = time;
        this.#handle(bytes, view, start, end, origins[row]!);
      } else {
        this.#held.add(time, bytes, start, end, origins[row]!);
      }
    }
    held.clear();
  }

  #medianTime(): number {
    const times = this.#held.times.slice(0, this.#held.length).sort();
    return times[times.length >> 1] ?? Infinity;
  }
}
