import type { LiveRange, LiveSpan, TimedWeights } from '#core/live/live-store.ts';

const MAX_GAPS = 100;
/** Seconds of the shortest gap that is an event, and that the time strip marks. */
const NOTED_SECONDS = 0.5;

/** A time in which nothing was collected. */
export interface LiveGap extends LiveRange {
  /** Seconds for which the source's clock stood still, so that the gap has no length; absent for other gaps. */
  readonly stillSeconds?: number;
}

/** The times in which nothing was collected, in nanoseconds after the store's time origin. */
export class LiveGaps {
  #gaps: readonly LiveGap[] = [];
  /** Time of the newest sample before collecting ended; null while it goes on. */
  #from: number | null = null;
  /** End of the newest span. */
  #spanEnd: number | null = null;
  #seconds = 0;

  get list(): readonly LiveGap[] {
    return this.#gaps;
  }

  /** Gaps that are long enough to be seen. */
  get noted(): readonly LiveGap[] {
    return this.#gaps.filter((gap) => secondsOf(gap) >= NOTED_SECONDS);
  }

  /** Sum of all gaps, in seconds. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Collecting has ended, and begins again. `newest`: time of the newest sample. */
  open(newest: number | null): void {
    this.#from ??= this.#spanEnd ?? newest;
    this.#spanEnd = null;
  }

  /**
   * Returns the seconds of a gap that these samples, or a span without any, end and that is long enough to tell; null
   * without one.
   */
  add(rows: TimedWeights, span: LiveSpan | null, origin: bigint | null): number | null {
    const range = span === null || origin === null ? null : toRange(span, origin);
    const start = range?.start ?? rows.time.reduce((least, one) => Math.min(least, one), Infinity);
    if (start === Infinity) return null;
    const from = this.#from ?? this.#spanEnd;
    const isReopened = this.#from !== null;
    this.#from = null;
    if (range !== null) this.#spanEnd = range.end;
    if (from === null || start <= from) return null;
    const gap = { start: from, end: start };
    this.#add(gap);
    return isReopened || secondsOf(gap) >= NOTED_SECONDS ? secondsOf(gap) : null;
  }

  /** The source's clock stood still after the newest sample. */
  clockPause(newest: number | null, stillSeconds: number): void {
    const at = this.#from ?? this.#spanEnd ?? newest;
    if (at !== null) this.#add({ start: at, end: at, stillSeconds });
  }

  #add(gap: LiveGap): void {
    this.#gaps = [...this.#gaps, gap].slice(-MAX_GAPS);
    this.#seconds += secondsOf(gap);
  }

  /** Forgets them, as the samples. */
  reset(): void {
    this.#gaps = [];
    this.#seconds = 0;
  }
}

const secondsOf = ({ start, end, stillSeconds }: LiveGap): number => stillSeconds ?? (end - start) / 1e9;

const toRange = ({ start, end }: LiveSpan, origin: bigint): LiveRange => ({
  start: Number(start - origin),
  end: Number(end - origin),
});
