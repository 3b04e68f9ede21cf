import type { Profile } from '../../model/profile.ts';
import { shareWithin } from '../view/selected-weights.ts';
import { CellAdder } from './covered.ts';
import type { TimeGrid, TimeRange } from './grid.ts';
import { bucketsOf } from './histogram.ts';
import type { SampleView } from '../view/build-stack-view.ts';

/** Groups of a view's functions. */
export interface FunctionGroups {
  /** Number of each function's group, from 0; {@link NO_GROUP} if it has none. */
  readonly ofFunction: Uint8Array;
  readonly count: number;
}

export const NO_GROUP = 255;

/** Weight over time, by the group of the function in which a stack ends. */
export interface GroupHistograms extends TimeGrid {
  /** By group, then bucket. */
  readonly weights: readonly Float64Array[];
}

/**
 * Computes the histograms of a span, or of the whole profile. `weights` holds the weight of each sample. Null if no
 * sample has a time.
 */
export function groupHistograms(
  profile: Profile,
  { view, rowOfSample }: SampleView,
  weights: Float64Array,
  span: TimeRange | null,
  buckets: number,
  { ofFunction, count }: FunctionGroups,
): GroupHistograms | null {
  const { samples } = profile;
  const grid = bucketsOf(profile, span, buckets);
  if (grid === null) return null;
  const groups = Array.from({ length: count }, () => ({ weight: new Float64Array(buckets) }));
  const cells = new CellAdder(grid, samples);
  for (let sample = 0; sample < samples.length; sample++) {
    const row = rowOfSample[sample]!;
    if (row < 0 || weights[sample] === 0 || shareWithin(samples, sample, grid) === 0) continue;
    const group = groups[ofFunction[view.func[row]!]!];
    if (group !== undefined) cells.add(sample, weights[sample]!, group);
  }
  cells.finish();
  return { ...grid, weights: groups.map(({ weight }) => weight) };
}
