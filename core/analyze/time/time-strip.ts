import type { ThreadIndex, ValueTypeIndex } from '../../model/brand.ts';
import type { TimeGrid, TimeRange } from './time-grid.ts';

/**
 * What is drawn over time. It follows the view's value type, threads and transforms, and never its time range: that is what is chosen in
 * it. Weights are in the value type's unit, times nanoseconds after the profile's time origin.
 */
export interface TimeStrip extends TimeGrid {
  /** What the weights are of. */
  readonly valueType: ValueTypeIndex;
  /** From the profile's first sample to its last, whatever part of it the grid covers. */
  readonly whole: TimeRange;
  readonly weight: Float64Array;
  readonly sampleCount: Int32Array;
  /** What transforms leave out, by bucket; null where they leave out nothing. */
  readonly hidden: Float64Array | null;
  /** Samples without a time. They are in no bucket, and a time range leaves them out. */
  readonly withoutTime: number;
}

/** Weight over time of a part of what the strip shows. */
export interface TimeBars extends TimeGrid {
  readonly weight: Float64Array;
}

/** Threads over time, whichever of them are chosen. */
export interface ThreadRows extends Omit<TimeGrid, 'rows'> {
  readonly valueType: ValueTypeIndex;
  /** Every thread with a sample that shows, at any time; heaviest first. */
  readonly rows: readonly ThreadTimes[];
  /** Lighter threads beyond the number that is drawn. */
  readonly more: number;
  /** Of any bucket: the rows' common scale. */
  readonly maxWeight: number;
  /** Sum over all threads and the whole time. */
  readonly total: number;
}

export interface ThreadTimes {
  readonly thread: ThreadIndex;
  /** Over the whole time. */
  readonly total: number;
  readonly sampleCount: number;
  /** By bucket; null where the thread has no sample in any of them. */
  readonly weight: Float64Array | null;
  readonly samples: Int32Array | null;
}

/** See `SubsecondHeatmap`. */
export interface HeatMap extends TimeGrid {
  readonly valueType: ValueTypeIndex;
  readonly whole: TimeRange;
  readonly columnNs: number;
  readonly weight: Float64Array;
  readonly sampleCount: Int32Array;
  readonly maxWeight: number;
}
