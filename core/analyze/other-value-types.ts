import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';

/** Returns the value types in which at least one sample has weight, in the profile's order. */
export function valueTypesWithWeight(profile: Profile): ValueTypeIndex[] {
  const rows = [...profile.valueTypes.keys()] as ValueTypeIndex[];
  return rows.filter((row) => sampleWeights(profile, row).some((weight) => weight !== 0));
}
