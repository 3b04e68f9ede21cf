import type { Profile } from '../../model/profile.ts';
import { typicalInterval } from './sample-widths.ts';
import type { TimeRange } from './time-grid.ts';
import { sortByTime } from './time-sort.ts';

/** Shorter stretches are not to be told from chance: samples come at random, and this is far in the tail of any steady rate. */
const TYPICAL_DISTANCES = 50;
/** Threads that are sampled at one moment, tick by tick, have tiny distances and none of them between two ticks: a gap misses ticks, too. */
const THREAD_INTERVALS = 3;
/** Of the whole: shorter ones are too narrow to see. */
const LEAST_SHARE = 1 / 200;
/** Where a program rests often, only the longest pauses are of note. */
const MAX_GAPS = 100;

/** Distances that the typical one is chosen from; evenly taken from a longer list. */
const MAX_DISTANCES = 50_000;

/**
 * The longest stretches in which no thread has a sample of any event, in the order of time. Why there is none (nothing ran, samples were
 * lost, the machine slept) is not known. From the last sample before to the first one after, both outside.
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

/** Those that have a time. */
function samplesInOrder(time: Float64Array): Int32Array {
  const timed = Int32Array.from(time.keys());
  return sortByTime(time.some(Number.isNaN) ? timed.filter((sample) => !Number.isNaN(time[sample]!)) : timed, time);
}

/** Times in order, without what is none; most captures are in order already. */
function inOrder(time: Float64Array): Float64Array {
  let before = -Infinity;
  for (const at of time) {
    // Also where it is NaN.
    if (!(at >= before)) return time.filter((one) => !Number.isNaN(one)).sort();
    before = at;
  }
  return time;
}

/** The median distance of neighbours; where that is 0, the least that isn't. */
function typicalDistance(time: Float64Array): number {
  const step = Math.ceil((time.length - 1) / MAX_DISTANCES);
  const count = Math.floor((time.length - 1) / step);
  const distances = Float64Array.from({ length: count }, (_, at) => time[at * step + 1]! - time[at * step]!).sort();
  return distances.subarray(count >>> 1).find((one) => one > 0) ?? 0;
}

/** As the end of `timeSpan`. */
const nextAfter = (at: number): number => at + Math.max(1, Math.abs(at) * Number.EPSILON);
