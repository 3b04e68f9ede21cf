import type { Profile } from '../model/profile.ts';
import type { TimeRange } from './time-grid.ts';

/** Shorter stretches are not to be told from chance: samples come at random, and this is far in the tail of any steady rate. */
const TYPICAL_DISTANCES = 50;
/** Of the whole: shorter ones are too narrow to see. */
const LEAST_SHARE = 1 / 200;
/** Where a program rests often, only the longest pauses are of note. */
const MAX_GAPS = 100;

/**
 * The longest stretches in which no thread has a sample of any event, in the order of time. Why there is none (nothing ran, samples were
 * lost, the machine slept) is not known. From the last sample before to the first one after, both outside.
 */
export function timeGaps({ samples }: Profile): TimeRange[] {
  if (samples.time === null) return [];
  const time = samples.time.filter((at) => !Number.isNaN(at)).sort();
  const last = time.length - 1;
  if (last < 1) return [];
  const distance = Float64Array.from({ length: last }, (_, place) => time[place + 1]! - time[place]!);
  const sorted = distance.slice().sort();
  const typical = sorted.find((one) => one > 0 && one >= sorted[last >>> 1]!) ?? 0;
  const least = Math.max(TYPICAL_DISTANCES * typical, (time[last]! - time[0]!) * LEAST_SHARE);
  const gaps = [...distance.keys()].filter((place) => distance[place]! > least);
  return gaps
    .sort((a, b) => distance[b]! - distance[a]!)
    .slice(0, MAX_GAPS)
    .sort((a, b) => a - b)
    .map((place) => ({ start: nextAfter(time[place]!), end: time[place + 1]! }));
}

/** As the end of `timeSpan`. */
const nextAfter = (at: number): number => at + Math.max(1, Math.abs(at) * Number.EPSILON);
