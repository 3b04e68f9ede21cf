import type { Profile } from '../../model/profile.ts';
import type { TimeRange } from './time-grid.ts';

/** Shorter buckets hold one sample or none, and are told apart by eye. */
const LEAST_INTERVALS = 1 / 4;
/** In longer ones, one sample more or less makes no pattern. */
const MOST_INTERVALS = 12;

/**
 * Into how many buckets, `most` at the most, a stretch of time is cut so that a thread that keeps running fills them evenly: each as long
 * as a whole number of sampling intervals. Others would hold now one sample and now two, a pattern that is not the program's.
 */
export function steadyBuckets(profile: Profile, { start, end }: TimeRange, most: number): number {
  const { rateHz } = profile.metadata;
  if (rateHz === null || rateHz <= 0) return most;
  const each = ((end - start) * rateHz) / 1e9 / most;
  if (each < LEAST_INTERVALS || each > MOST_INTERVALS) return most;
  const intervals = (end - start) / intervalOf(profile, 1e9 / rateHz);
  return Math.max(1, Math.round(intervals / Math.ceil(intervals / most)));
}

/** Strips are asked for with each movement of the window; their profile stays. */
const known = new WeakMap<Profile, number>();

function intervalOf(profile: Profile, statedNs: number): number {
  const interval = known.get(profile) ?? keptInterval(profile, statedNs);
  known.set(profile, interval);
  return interval;
}

/** How far from the stated interval timers are, of it. */
const DRIFT = 0.1;

/** Nanoseconds between samples of a thread that keeps running: the mean of what is about as long as stated. */
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
