import type { Profile } from '../../model/profile.ts';
import type { TimeRange } from './grid.ts';

/** Shorter buckets hold one sample or none, which readers recognise. */
const LEAST_INTERVALS = 1 / 4;
/** In longer buckets, one sample more or less makes no visible pattern. */
const MOST_INTERVALS = 12;

/**
 * Returns the number of buckets, at most `most`, for a span of time, so that a thread that keeps running fills them
 * evenly: each bucket is a whole number of sampling intervals long. Other lengths would hold one sample here and two
 * there, a pattern that does not come from the program.
 */
export function steadyBuckets(profile: Profile, { start, end }: TimeRange, most: number): number {
  const { rateHz } = profile.metadata;
  if (rateHz === null || rateHz <= 0) return most;
  const each = ((end - start) * rateHz) / 1e9 / most;
  if (each < LEAST_INTERVALS || each > MOST_INTERVALS) return most;
  const intervals = (end - start) / intervalOf(profile, 1e9 / rateHz);
  return Math.max(1, Math.round(intervals / Math.ceil(intervals / most)));
}

/** Strips are requested at each movement of the window while the profile stays the same, so its interval is cached. */
const known = new WeakMap<Profile, number>();

function intervalOf(profile: Profile, statedNs: number): number {
  const interval = known.get(profile) ?? keptInterval(profile, statedNs);
  known.set(profile, interval);
  return interval;
}

/** Maximum drift of a timer, as a share of the stated interval. */
const DRIFT = 0.1;

/**
 * Returns the nanoseconds between samples of a thread that keeps running: the mean of the distances close to the stated
 * interval.
 */
function keptInterval({ samples, threads }: Profile, statedNs: number): number {
  const last = new Float64Array(threads.length).fill(Number.NaN);
  let sum = 0;
  let count = 0;
  for (let sample = 0; sample < (samples.time?.length ?? 0); sample++) {
    const at = samples.time![sample]!;
    const thread = samples.thread[sample]!;
    const interval = at - last[thread]!;
    last[thread] = at;
    if (!(Math.abs(interval - statedNs) <= DRIFT * statedNs)) continue;
    sum += interval;
    count += 1;
  }
  return count === 0 ? statedNs : sum / count;
}
