import type { Profile } from '../model/profile.ts';
import { selectedWeights } from './selected-weights.ts';
import type { Selection } from './stack-view.ts';

/** Weight over time in buckets of equal length. */
export interface TimeHistogram {
  /** Nanoseconds after the profile's `timeOrigin`. */
  readonly start: number;
  /** Exclusive, except that the last sample of the whole profile lies in the last bucket. */
  readonly end: number;
  readonly weight: Float64Array;
  readonly sampleCount: Int32Array;
  /** Samples of the selection's threads and value type that have no time. */
  readonly withoutTime: number;
}

/** Null where no sample has a time. The span is the selection's time range, or the whole profile's, whichever threads are chosen. */
export function timeHistogram(profile: Profile, selection: Selection, buckets: number): TimeHistogram | null {
  const { samples } = profile;
  const span = selection.timeRange ?? timeSpan(profile);
  if (samples.time === null || span === null) return null;
  const { weights, withoutTime } = selectedWeights(profile, { ...selection, timeRange: span });
  const weight = new Float64Array(buckets);
  const sampleCount = new Int32Array(buckets);
  const bucketsPerNs = buckets / (span.end - span.start);
  for (let sample = 0; sample < samples.length; sample++) {
    if (weights[sample] === 0) continue;
    const bucket = Math.min(buckets - 1, Math.floor((samples.time[sample]! - span.start) * bucketsPerNs));
    weight[bucket]! += weights[sample]!;
    sampleCount[bucket]! += 1;
  }
  return { start: span.start, end: span.end, weight, sampleCount, withoutTime };
}

/** First sample's time to one nanosecond after the last one's; null where no sample has a time. */
export function timeSpan(profile: Profile): { start: number; end: number } | null {
  let start = Infinity;
  let last = -Infinity;
  for (const at of profile.samples.time ?? []) {
    if (at < start) start = at;
    if (at > last) last = at;
  }
  return start <= last ? { start, end: last + 1 } : null;
}
