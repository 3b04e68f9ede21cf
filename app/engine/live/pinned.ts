import type { LiveBaseline, PinnedProfile } from '#core/live/baseline/baseline.ts';
import type { LiveStore } from '#core/live/live-store.ts';
import type { LiveWindow } from '#core/contract/live.ts';
import type { Profile } from '#core/model/profile.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import { EngineFailure } from '../failure.ts';

/** Longest window that is pinned, in seconds: older samples are kept in buckets that are longer than a second. */
const LONGEST = 300;

/** A window of the session to pin as the baseline; `until` as in `LiveStore.count`. */
export interface PinnedMoment {
  readonly window: LiveWindow;
  readonly until: number | null;
}

/** A capture to pin as the baseline. */
export interface PinnedCapture {
  readonly name: string;
  readonly profile: Profile;
  /** Null if unknown. */
  readonly seconds: number | null;
}

export interface PinnedBaseline {
  readonly id: number;
  readonly rateHz: number | null;
  readonly baseline: LiveBaseline;
}

/** Returns the last `seconds` of a session before `until`; null selects five minutes, and the present. */
export function pinnedWindow(store: LiveStore, seconds: LiveWindow, until: number | null): PinnedProfile {
  const { profile, samples, range } = store.snapshot(seconds ?? LONGEST, until);
  if (range === null) throw noSamples();
  const length = (range.end - range.start) / 1e9;
  return {
    name: `the ${length.toFixed(0)} s before the pin`,
    profile,
    seconds: length,
    samples,
    range,
    rows: store.rowsOf(seconds ?? LONGEST, until),
  };
}

const noSamples = (): EngineFailure =>
  new EngineFailure('no-samples', 'There are no samples to compare with yet.', 'Wait until the program has run.');

export function pinnedCapture(store: LiveStore, { name, profile: given, seconds }: PinnedCapture): PinnedProfile {
  if (store.newest === null) throw noSamples();
  if (given.samples.length === 0) throw new EngineFailure('no-samples', `${name} has no samples.`, null);
  const profile = store.adopt(given);
  if (profile === null) {
    throw new EngineFailure(
      'other-value-type',
      `${name} has other value types than this session.`,
      'Pin a capture of the same event.',
    );
  }
  let [start, end] = [Infinity, -Infinity];
  for (const time of given.samples.time ?? []) {
    if (time < start) start = time;
    if (time > end) end = time;
  }
  const range = end > start ? { start, end } : null;
  return { name, profile, seconds: seconds ?? (range && (end - start) / 1e9), samples: countSamples(given), range };
}
