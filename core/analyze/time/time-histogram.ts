import type { Profile } from '../../model/profile.ts';
import { selectedWeights, weightsWithin, type SelectedWeights } from '../view/selected-weights.ts';
import type { Selection } from '../view/stack-view.ts';
import { cellAt, type TimeGrid, type TimeRange } from './time-grid.ts';

/** Weight over time in buckets (columns) of equal length; the last sample of the whole profile lies in the last one. */
export interface TimeHistogram extends TimeGrid {
  readonly weight: Float64Array;
  readonly sampleCount: Int32Array;
  /** Samples of the selection's threads and value type that have no time. */
  readonly withoutTime: number;
}

/**
 * Null where no sample has a time. The span is the selection's time range, or the whole profile's, whichever threads are chosen. `shown`:
 * what each sample weighs, where that isn't what the selection says (`shownWeights`).
 */
export function timeHistogram(
  profile: Profile,
  selection: Selection,
  buckets: number,
  shown?: Float64Array,
): TimeHistogram | null {
  const { samples } = profile;
  const span = selection.timeRange ?? timeSpan(profile);
  if (samples.time === null || span === null) return null;
  const { weights, withoutTime } = weightsOfSpan(profile, selection, span, shown);
  const grid: TimeGrid = { start: span.start, end: span.end, columns: buckets, rows: 1 };
  const weight = new Float64Array(buckets);
  const sampleCount = new Int32Array(buckets);
  for (let sample = 0; sample < samples.length; sample++) {
    if (weights[sample] === 0) continue;
    const bucket = cellAt(grid, samples.time[sample]!);
    weight[bucket]! += weights[sample]!;
    sampleCount[bucket]! += 1;
  }
  return { ...grid, weight, sampleCount, withoutTime };
}

/** What samples of a span weigh. */
export function weightsOfSpan(
  profile: Profile,
  selection: Selection,
  span: TimeRange,
  shown: Float64Array | undefined,
): SelectedWeights {
  return shown === undefined
    ? selectedWeights(profile, { ...selection, timeRange: span })
    : weightsWithin(profile, shown, span);
}

/** First sample's time to one nanosecond (or the next number) after the last one's; null where no sample has a time. */
export function timeSpan(profile: Profile): TimeRange | null {
  let start = Infinity;
  let last = -Infinity;
  for (const at of profile.samples.time ?? []) {
    if (at < start) start = at;
    if (at > last) last = at;
  }
  return start <= last ? { start, end: last + Math.max(1, Math.abs(last) * Number.EPSILON) } : null;
}
