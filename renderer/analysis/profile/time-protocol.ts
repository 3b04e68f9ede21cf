import type { FunctionGroups, GroupHistograms } from '#core/analyze/time/group-histograms.ts';
import type { KindHistograms } from '#core/analyze/time/kind-histograms.ts';
import type { SampleQuery, ShownSample } from '#core/analyze/time/nearest-sample.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { FunctionIndex, ThreadIndex } from '#core/model/brand.ts';
import type { HeatMap, ThreadRows, TimeBars } from '#core/analyze/time/strip.ts';
import type { FoundPlace, OfRevision } from '../answer.ts';
import type { TimeWindow } from '../methods.ts';

/** Requests about time in a profile. */
export interface TimeMethods {
  /** `buckets` is the maximum; see `steadyBuckets`. This and the next two return null if no sample has a timestamp. */
  'time-function': {
    params: OfRevision<TimeWindow & { buckets: number; func: FunctionIndex }>;
    result: TimeBars | null;
  };
  'time-groups': {
    params: OfRevision<TimeWindow & { buckets: number; groups: FunctionGroups }>;
    result: GroupHistograms | null;
  };
  'time-threads': { params: OfRevision<TimeWindow & { buckets: number }>; result: ThreadRows | null };
  'time-kinds': {
    params: OfRevision<TimeWindow & { buckets: number; threads: readonly ThreadIndex[] }>;
    result: KindHistograms | null;
  };
  /** See `nearestSample`. */
  'time-sample': {
    params: OfRevision<{ thread: ThreadIndex; time: number; span: TimeRange }>;
    result: ShownSample | null;
  };
  /** Returns the place of `nearestStack`'s leaf in the analysis' tree; null if there is no stack. */
  'time-place': { params: OfRevision<SampleQuery>; result: FoundPlace | null };
  'heat-map': { params: OfRevision<TimeWindow & { maxColumns: number }>; result: HeatMap | null };
  /** Returns the ranges without any sample; see `timeGaps`. */
  'time-gaps': { params: null; result: readonly TimeRange[] };
}
