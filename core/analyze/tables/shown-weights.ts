import type { ResolvedTransforms } from '../transforms/transforms.ts';
import type { Profile } from '../../model/profile.ts';
import type { Selection } from '../view/stack-view.ts';
import { NO_ROW, viewSamples } from '../view/build-stack-view.ts';

/**
 * What every sample weighs in a view: 0 where the selection leaves it out or a transform hides it. Their sum is the view's total (but for
 * rounding where weights are fractions).
 */
export function shownWeights(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null,
): Float64Array {
  const { weights, rowOfSample } = viewSamples(profile, selection, transforms);
  return weights.map((weight, sample) => {
    const row = rowOfSample[sample]!;
    return row === NO_ROW.hidden || row === NO_ROW.notSelected ? 0 : weight;
  });
}
