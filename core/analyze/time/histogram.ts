import type { Profile } from '../../model/profile.ts';
import { samplesPerRow } from '../../model/sample-counts.ts';
import { selectedWeights, weightsWithin, type SelectedWeights } from '../view/selected-weights.ts';
import type { Selection } from '../view/stack-view.ts';
import { CellAdder } from './covered.ts';
import type { TimeGrid, TimeRange } from './grid.ts';

/** Weight over time in buckets (columns) of equal length; the profile's last sample falls into the last one. */
export interface TimeHistogram extends TimeGrid {
  readonly weight: Float64Array;
  readonly sampleCount: Float64Array;
  /** Number of samples of the selection's threads and value type that have no time. */
  readonly withoutTime: number;
}

/**
 * Computes the histogram, or null if no sample has a time. It spans the selection's time range, or the whole profile
 * regardless of the selected threads. `shown` overrides the samples' weights (`shownWeights`).
 */
export function timeHistogram(
  profile: Profile,
  selection: Selection,
  buckets: number,
  shown?: Float64Array,
): TimeHistogram | null {
  const grid = bucketsOf(profile, selection.timeRange, buckets);
  if (grid === null) return null;
  const { weights, withoutTime } = weightsOfSpan(profile, selection, grid, shown);
  return { ...grid, ...sumByCell(profile, selection, weights, grid), withoutTime };
}

/** Returns the buckets of a span, or of the whole profile. Null if no sample has a time. */
export function bucketsOf(profile: Profile, span: TimeRange | null, buckets: number): TimeGrid | null {
  const range = profile.samples.time === null ? null : (span ?? timeSpan(profile));
  return range === null ? null : { start: range.start, end: range.end, columns: buckets, rows: 1 };
}

/** Returns the weight and the number of samples in each cell of a grid, given the selection's weights. */
export function sumByCell(
  profile: Profile,
  { valueType }: Selection,
  weights: Float64Array,
  grid: TimeGrid,
): { readonly weight: Float64Array; readonly sampleCount: Float64Array } {
  const length = grid.columns * grid.rows;
  const sums = { weight: new Float64Array(length), count: new Float64Array(length) };
  const cells = new CellAdder(grid, profile.samples, samplesPerRow(profile, valueType));
  for (let sample = 0; sample < weights.length; sample++) {
    if (weights[sample] !== 0) cells.add(sample, weights[sample]!, sums);
  }
  cells.finish();
  return { weight: sums.weight, sampleCount: sums.count };
}

/** Returns the weights of the selection's samples within a span; samples that are partly in it count in full. */
export function weightsOfSpan(
  profile: Profile,
  selection: Selection,
  span: TimeRange,
  shown: Float64Array | undefined,
): SelectedWeights {
  return weightsWithin(profile, shown ?? selectedWeights(profile, { ...selection, timeRange: null }).weights, span);
}

/**
 * Returns the range from the first sample's time to one nanosecond (or the next representable number) after the last
 * one's, with all of the time that samples cover; null if no sample has a time.
 */
export function timeSpan({ samples: { time, duration } }: Profile): TimeRange | null {
  let start = Infinity;
  let last = -Infinity;
  let end = -Infinity;
  for (const at of time ?? []) {
    if (at < start) start = at;
    if (at > last) last = at;
  }
  if (!(start <= last)) return null;
  duration?.forEach((length, sample) => {
    const at = time![sample]!;
    if (length > 0 && at - length / 2 < start) start = at - length / 2;
    if (length > 0 && at + length / 2 > end) end = at + length / 2;
  });
  return { start, end: Math.max(end, last + Math.max(1, Math.abs(last) * Number.EPSILON)) };
}
