import type { LiveSpan } from '#core/live/live-store.ts';
import type { Profile } from '#core/model/profile.ts';

/** Milliseconds by which a source's clock must be off to be told. */
const LEAST_STEP_MS = 2000;
/** For this long, all samples are late before the source's clock is said to have stood still. */
const SETTLED_MS = 5000;
/** Delays within this are equal, in milliseconds. */
const EVEN_MS = 1000;

/** What happened to the source's clock. */
export interface ClockEvent {
  /** One sentence. */
  readonly text: string;
  /** Seconds for which it stood still; null if it was set. */
  readonly stillSeconds: number | null;
}

/** What the times of new samples tell. */
interface SourceTimes {
  /**
   * Milliseconds that the oldest of them took to arrive, in excess of the fastest so far; the clocks of target and
   * engine are never compared.
   */
  readonly latencyMs: number;
  /** Milliseconds to add to times from here on, so that they follow those before. */
  readonly shiftMs: number;
  readonly event: ClockEvent | null;
}

export interface PlacedPiece {
  /** With times that follow those before; null without samples. */
  readonly profile: Profile | null;
  readonly span: LiveSpan | null;
  /** See {@link SourceTimes}; null if the samples have no times. */
  readonly latencyMs: number | null;
  readonly event: ClockEvent | null;
}

/**
 * Watches the clock of a source's samples by their arrival, in ms by a clock of this machine. If it goes back, later
 * times are shifted, so that the samples stay in order.
 */
export class SourceClock {
  /** Least of (arrival − sample's time) so far: the offset of the clocks plus the fastest arrival. */
  #least = Infinity;
  #newest = -Infinity;
  #shiftMs = 0;
  /** Since when everything is equally late, and the least and largest delay since then. */
  #late: { readonly since: number; readonly least: number; readonly most: number } | null = null;

  /** `now` is when the piece arrived. */
  place(profile: Profile | null, span: LiveSpan | null, now: number): PlacedPiece {
    const range = span === null ? timesOf(profile) : { oldest: toMs(span.start), newest: toMs(span.end) };
    if (range === null) return { profile, span, latencyMs: null, event: null };
    const { latencyMs, shiftMs, event } = this.add(range.oldest, range.newest, now);
    const shift = BigInt(Math.round(shiftMs * 1e6));
    return {
      profile: shift === 0n ? profile : profile && shifted(profile, shift),
      span: span && { start: span.start + shift, end: span.end + shift },
      latencyMs,
      event,
    };
  }

  /** `oldest` and `newest` are times of one update, in ms of the source's clock. */
  add(oldest: number, newest: number, now: number): SourceTimes {
    const back = this.#newest - (newest + this.#shiftMs);
    if (back > LEAST_STEP_MS) {
      this.#shiftMs += this.#newest - (oldest + this.#shiftMs);
      this.#least = now - newest;
      this.#late = null;
      return this.#found(oldest, newest, now, { text: wasSet('back', back), stillSeconds: null });
    }
    const delay = now - newest;
    const ahead = this.#least === Infinity ? 0 : this.#least - delay;
    this.#least = Math.min(this.#least, delay);
    if (ahead > LEAST_STEP_MS) {
      this.#late = null;
      return this.#found(oldest, newest, now, { text: wasSet('ahead', ahead), stillSeconds: null });
    }
    return this.#found(oldest, newest, now, this.#judgeDelay(delay, now));
  }

  /** Returns that the clock stood still if everything has been late for a while. */
  #judgeDelay(delay: number, now: number): ClockEvent | null {
    if (delay - this.#least <= LEAST_STEP_MS) {
      this.#late = null;
      return null;
    }
    const { since, least, most } = this.#late ?? { since: now, least: delay, most: delay };
    const late = { since, least: Math.min(least, delay), most: Math.max(most, delay) };
    // A slow link's delay varies.
    this.#late = late.most - late.least > EVEN_MS ? { since: now, least: delay, most: delay } : late;
    if (now - this.#late.since < SETTLED_MS) return null;
    const still = this.#late.least - this.#least;
    this.#least = this.#late.least;
    this.#late = null;
    const text = `The clock of the samples stood still for ${seconds(still)}, as in sleep: nothing was sampled.`;
    return { text, stillSeconds: still / 1000 };
  }

  #found(oldest: number, newest: number, now: number, event: ClockEvent | null): SourceTimes {
    this.#newest = Math.max(this.#newest, newest + this.#shiftMs);
    return { latencyMs: now - oldest - this.#least, shiftMs: this.#shiftMs, event };
  }
}

function shifted(profile: Profile, shift: bigint): Profile {
  const { timeOrigin } = profile.metadata;
  return { ...profile, metadata: { ...profile.metadata, timeOrigin: timeOrigin === null ? null : timeOrigin + shift } };
}

/** Returns the times of samples in ms of the source's clock; null without any. */
function timesOf(profile: Profile | null): { oldest: number; newest: number } | null {
  const time = profile?.samples.time ?? null;
  const timeOrigin = profile?.metadata.timeOrigin ?? null;
  if (time === null || timeOrigin === null) return null;
  let [oldest, newest] = [Infinity, -Infinity];
  for (const one of time) {
    if (one < oldest) oldest = one;
    if (one > newest) newest = one;
  }
  const start = toMs(timeOrigin);
  return oldest === Infinity ? null : { oldest: start + oldest / 1e6, newest: start + newest / 1e6 };
}

const wasSet = (where: string, ms: number): string => `The clock of the samples went ${where} by ${seconds(ms)}.`;

const toMs = (nanoseconds: bigint): number => Number(nanoseconds) / 1e6;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
