import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import type { ResolvedTransforms } from './view/transforms.ts';
import { selectedWeights } from './view/selected-weights.ts';
import type { Selection } from './view/stack-view.ts';
import { buildStackView } from './view/build-stack-view.ts';

/** Returns whether the transforms leave any of the selection's weight. */
export function hasWeight(profile: Profile, selection: Selection, transforms: ResolvedTransforms | null): boolean {
  const { weights } = selectedWeights(profile, selection);
  if (transforms === null || transforms.steps.every((step) => step === null))
    return weights.some((weight) => weight !== 0);
  return buildStackView(profile, selection, transforms).sampleCount > 0;
}

/**
 * Returns the other value types in which the transforms leave any of the selection's weight, in the profile's order.
 */
export function otherTypesWithWeight(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null,
): ValueTypeIndex[] {
  const rows = [...profile.valueTypes.keys()] as ValueTypeIndex[];
  return rows.filter(
    (valueType) => valueType !== selection.valueType && hasWeight(profile, { ...selection, valueType }, transforms),
  );
}
