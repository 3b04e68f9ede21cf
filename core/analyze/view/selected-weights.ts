import type { Profile } from '../../model/profile.ts';
import { sampleWeights } from '../../model/weights.ts';
import type { Selection } from './stack-view.ts';
import type { TimeRange } from '../time/time-grid.ts';

export interface SelectedWeights {
  /** By sample; 0 where the selection leaves it out. */
  readonly weights: Float64Array;
  /** Samples of the selection's threads and value type that a time range left out because they have no time. */
  readonly withoutTime: number;
}

/** What every sample weighs under a selection. */
export function selectedWeights(profile: Profile, { valueType, threads, timeRange }: Selection): SelectedWeights {
  const all = sampleWeights(profile, valueType);
  if (threads === null && timeRange === null) return { weights: all, withoutTime: 0 };
  const { samples } = profile;
  const threadChosen = threads === null ? null : flags(profile.threads.length, threads);
  const weights = new Float64Array(samples.length);
  let withoutTime = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    if (all[sample] === 0) continue;
    if (threadChosen !== null && threadChosen[samples.thread[sample]!] === 0) continue;
    if (timeRange !== null) {
      const at = samples.time === null ? Number.NaN : samples.time[sample]!;
      if (Number.isNaN(at)) withoutTime += 1;
      if (!(at >= timeRange.start && at < timeRange.end)) continue;
    }
    weights[sample] = all[sample]!;
  }
  return { weights, withoutTime };
}

/** Of given weights those of samples within a range; the others are 0, and those without a time are counted. */
export function weightsWithin({ samples }: Profile, given: Float64Array, range: TimeRange): SelectedWeights {
  const weights = new Float64Array(given.length);
  let withoutTime = 0;
  for (let sample = 0; sample < given.length; sample++) {
    if (given[sample] === 0) continue;
    const at = samples.time === null ? Number.NaN : samples.time[sample]!;
    if (Number.isNaN(at)) withoutTime += 1;
    if (at >= range.start && at < range.end) weights[sample] = given[sample]!;
  }
  return { weights, withoutTime };
}

/** 1 at each of the rows named. */
export function flags(length: number, rows: Iterable<number>): Uint8Array {
  const set = new Uint8Array(length);
  for (const row of rows) set[row] = 1;
  return set;
}
