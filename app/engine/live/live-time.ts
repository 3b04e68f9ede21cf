import { uptime } from 'node:os';
import type { LiveEvent } from '#core/contract/live.ts';
import type { LiveSpan, TimedWeights } from '#core/live/live-store.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Clock } from '#collectors/collector.ts';
import type { Target } from '#collectors/target/target.ts';
import { ClockWatch, readClocks } from './clocks.ts';
import { LiveGaps } from './gaps.ts';
import { SourceClock, type ClockEvent, type PlacedPiece } from './source-clock.ts';

/** Milliseconds within which two notices of a sleep are of the same one. */
const SAME_SLEEP_MS = 30_000;

const AFTER_BREAK = { link: 'Reconnected', plan: 'Sampling again', source: 'A gap' };

/** The times of a live session: its clocks, and the gaps between its samples. What it notices is passed to `note`. */
export class LiveTime {
  readonly gaps = new LiveGaps();
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #read: typeof readClocks;
  readonly #note: (kind: LiveEvent['kind'], text: string) => void;
  readonly #watch: ClockWatch;
  readonly #source = new SourceClock();
  /** When a sleep was noticed, by the monotonic clock. */
  #stillAt = -Infinity;
  /** Why there is a gap before the next samples. */
  #broken: keyof typeof AFTER_BREAK = 'source';

  constructor(
    target: Target,
    clock: Clock,
    note: (kind: LiveEvent['kind'], text: string) => void,
    read: typeof readClocks = readClocks,
  ) {
    this.#target = target;
    this.#clock = clock;
    this.#note = note;
    this.#read = read;
    this.#watch = new ClockWatch(target);
  }

  /** Collecting has ended and begins again. `newest`: time of the newest sample. */
  break(why: 'link' | 'plan', newest: number | null): void {
    this.#broken = why;
    this.gaps.open(newest);
  }

  /** Returns samples (null: none in the span) that have arrived with times that follow those before, and how late they are. */
  place(profile: Profile | null, span: LiveSpan | null, newest: number | null): Omit<PlacedPiece, 'event'> {
    // A local source stands still when this machine sleeps; others do not.
    const arrived = this.#target.kind === 'local' ? this.#clock.monotonic() : uptime() * 1000;
    const { event, ...placed } = this.#source.place(profile, span, arrived);
    if (event?.stillSeconds === null) this.gaps.open(newest);
    if (event !== null) this.#tell(event, newest);
    return placed;
  }

  /** Notes the gap before these samples. */
  add(rows: TimedWeights, span: LiveSpan | null, origin: bigint | null): void {
    const gap = this.gaps.add(rows, span, origin);
    if (gap !== null) this.#note('gap', `${AFTER_BREAK[this.#broken]}: no samples for ${gap.toFixed(1)} s.`);
    this.#broken = 'source';
  }

  /** Compares the clocks with the target's, read just before; returns whether something happened to them. */
  compare(there: Parameters<typeof readClocks>[2], newest: number | null): boolean {
    const found = this.#watch.add(this.#read(this.#target, this.#clock, there));
    for (const event of found) this.#tell(event, newest);
    return found.length > 0;
  }

  /** Two watches may notice the same sleep. */
  #tell({ text, stillSeconds }: ClockEvent, newest: number | null): void {
    if (stillSeconds === null) return this.#note('clock', text);
    const now = this.#clock.monotonic();
    if (now - this.#stillAt > SAME_SLEEP_MS) {
      this.gaps.clockPause(newest, stillSeconds);
      this.#note('gap', text);
    }
    this.#stillAt = now;
  }
}
