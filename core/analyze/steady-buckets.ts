import type { Profile } from '../model/profile.ts';
import type { TimeRange } from './time-grid.ts';

/** Shorter buckets hold one sample or none, and are told apart by eye. */
const LEAST_INTERVALS = 1 / 4;
/** In longer ones, one sample more or less makes no pattern. */
const MOST_INTERVALS = 12;

/**
 * Into how many buckets, `most` at the most, a stretch of time is cut so that a thread that keeps running fills them evenly: each as long
 * as a whole number of sampling intervals. Others would hold now one sample and now two, a pattern that is not the program's.
 */
export function steadyBuckets({ metadata: { rateHz } }: Profile, { start, end }: TimeRange, most: number): number {
  if (rateHz === null || rateHz <= 0) return most;
  const intervals = ((end - start) * rateHz) / 1e9;
  const each = intervals / most;
  if (each < LEAST_INTERVALS || each > MOST_INTERVALS) return most;
  return Math.max(1, Math.round(intervals / Math.ceil(each)));
}
