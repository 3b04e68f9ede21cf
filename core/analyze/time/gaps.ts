import type { Profile } from '../../model/profile.ts';
import { typicalInterval } from './sample-widths.ts';
import type { TimeRange } from './grid.ts';
import { sortByTime } from './sort.ts';

/** Shorter stretches can be chance: samples arrive at random, and this length is far in the tail of any steady rate. */
const TYPICAL_DISTANCES = 50;
/**
 * Threads sampled at the same tick have tiny distances and no samples between two ticks, so a gap must also span
 * several ticks.
 */
const THREAD_INTERVALS = 3;
/** Share of the whole time; shorter gaps are too narrow to see. */
const LEAST_SHARE = 1 / 200;
/** If a program rests often, only the longest pauses matter. */
const MAX_GAPS = 100;

/** Maximum number of distances from which the typical one is computed; longer lists are sampled evenly. */
const MAX_DISTANCES = 50_000;

/**
 * Returns the longest stretches in which no thread has a sample of any event, in the order of time. The cause (nothing
 * ran, samples were lost, the machine slept) is unknown. A gap lies between the last sample before it and the first one
 * after it, excluding both.
 */
export function timeGaps(profile: Profile): TimeRange[] {
  const { samples } = profile;
  const time = samples.time === null ? new Float64Array(0) : inOrder(samples.time);
  const last = time.length - 1;
  if (last < 1) return [];
  const least = Math.max(TYPICAL_DISTANCES * typicalDistance(time), (time[last]! - time[0]!) * LEAST_SHARE);
  const distance = (place: number): number => time[place + 1]! - time[place]!;
  const far: number[] = [];
  for (let place = 0; place < last; place++) if (distance(place) > least) far.push(place);
  if (far.length === 0) return [];
  const leastOfThreads = THREAD_INTERVALS * typicalInterval(profile, samplesInOrder(samples.time!));
  return far
    .filter((place) => distance(place) > leastOfThreads)
    .sort((a, b) => distance(b) - distance(a))
    .slice(0, MAX_GAPS)
    .sort((a, b) => a - b)
    .map((place) => ({ start: nextAfter(time[place]!), end: time[place + 1]! }));
}

/** Returns the samples that have a time, in the order of time. */
function samplesInOrder(time: Float64Array): Int32Array {
  const timed = Int32Array.from(time.keys());
  return sortByTime(time.some(Number.isNaN) ? timed.filter((sample) => !Number.isNaN(time[sample]!)) : timed, time);
}

/** Returns the times in order, without NaN; most captures are already in order. */
function inOrder(time: Float64Array): Float64Array {
  let before = -Infinity;
  for (const at of time) {
    // Also true if the time is NaN.
    if (!(at >= before)) return time.filter((one) => !Number.isNaN(one)).sort();
    before = at;
  }
  return time;
}

/** Returns the median distance between neighbours, or the smallest positive one if the median is 0. */
function typicalDistance(time: Float64Array): number {
  const step = Math.ceil((time.length - 1) / MAX_DISTANCES);
  const count = Math.floor((time.length - 1) / step);
  const distances = Float64Array.from({ length: count }, (_, at) => time[at * step + 1]! - time[at * step]!).sort();
  return distances.subarray(count >>> 1).find((one) => one > 0) ?? 0;
}

/** Like the end of `timeSpan`. */
const nextAfter = (at: number): number => at + Math.max(1, Math.abs(at) * Number.EPSILON);
