import type { ValueTypeIndex } from '../../model/brand.ts';
import type { TimeGrid, TimeRange } from './grid.ts';
import type { TimeHistogram } from './histogram.ts';
import type { SubsecondHeatmap } from './subsecond-heatmap.ts';
import type { ThreadHistogram } from './thread-histograms.ts';

/**
 * Contents of the time strip. It follows the view's value type, threads and transforms, but not its time range, which
 * is selected in the strip. Weights are in the value type's unit, times are nanoseconds after the profile's time
 * origin.
 */
export interface TimeStrip extends TimeHistogram {
  /** Value type of the weights. */
  readonly valueType: ValueTypeIndex;
  /** From the profile's first sample to its last, regardless of the grid. */
  readonly whole: TimeRange;
  /** Weight that transforms hide, by bucket; null if they hide nothing. */
  readonly hidden: Float64Array | null;
}

/** Weight over time for a subset of the strip. */
export interface TimeBars extends TimeGrid {
  readonly weight: Float64Array;
}

/** Threads over time, regardless of the selected threads. */
export interface ThreadRows extends Omit<TimeGrid, 'rows'> {
  readonly valueType: ValueTypeIndex;
  /** Every thread that has a visible sample at any time, heaviest first. */
  readonly rows: readonly ThreadTimes[];
  /** Number of lighter threads that are not drawn. */
  readonly more: number;
  /** Maximum of any bucket: the rows' common scale. */
  readonly maxWeight: number;
  /** Sum over all threads and the whole time. */
  readonly total: number;
}

export interface ThreadTimes extends Pick<ThreadHistogram, 'thread' | 'total' | 'sampleCount'> {
  /** By bucket; null if the thread has no sample in any of them. */
  readonly weight: Float64Array | null;
  readonly samples: Float64Array | null;
}

export interface HeatMap extends Omit<SubsecondHeatmap, 'withoutTime'> {
  readonly valueType: ValueTypeIndex;
  readonly whole: TimeRange;
}
