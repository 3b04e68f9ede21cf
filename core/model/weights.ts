import type { ValueTypeIndex } from './brand.ts';
import type { Profile, SampleTable, ValueType } from './profile.ts';

/** Caches the latest result per table, because several analyses request the same weights in turn. */
const newest = new WeakMap<SampleTable, { readonly of: ValueType; readonly weights: Float64Array }>();

/**
 * Returns the weight of every sample under one value type, in that type's unit; do not modify the array. This is the
 * only place that applies {@link ValueType}'s rule.
 */
export function sampleWeights(profile: Profile, valueType: ValueTypeIndex): Float64Array {
  const { samples } = profile;
  const chosen = profile.valueTypes[valueType];
  if (chosen === undefined) throw new RangeError(`value type ${valueType} of ${profile.valueTypes.length}`);
  const known = newest.get(samples);
  if (known?.of === chosen) return known.weights;
  const weights = weightsOf(samples, chosen);
  newest.set(samples, { of: chosen, weights });
  return weights;
}

function weightsOf(samples: SampleTable, chosen: ValueType): Float64Array {
  const column = chosen.column < 0 ? null : samples.weights[chosen.column]!;
  if (chosen.event < 0 || samples.event === null) {
    return column ?? new Float64Array(samples.length).fill(1);
  }
  const weights = new Float64Array(samples.length);
  for (let row = 0; row < weights.length; row++) {
    if (samples.event[row] === chosen.event) weights[row] = column === null ? 1 : column[row]!;
  }
  return weights;
}
