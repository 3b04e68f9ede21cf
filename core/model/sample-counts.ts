import type { ValueTypeIndex } from './brand.ts';
import type { Profile, ValueType } from './profile.ts';

/**
 * Returns how many samples each row of the sample table stands for under a value type, at least 1; null if all stand
 * for one. Formats that sum equal stacks (folded, pprof, the output of a recipe) have a value type of counts, and one
 * of their rows is many samples. Rows that are only measured in something else (bytes, microseconds) count as one.
 */
export function samplesPerRow(
  { samples, valueTypes, metadata }: Profile,
  valueType: ValueTypeIndex = metadata.defaultValueType,
): Float64Array | null {
  const chosen = valueTypes[valueType];
  const counts = valueTypes.filter(isSampleCount);
  const own = counts.find(({ type, event }) => type === chosen?.type && event === chosen.event);
  const column = (own ?? counts.find(({ event }) => event < 0))?.column ?? -1;
  return samples.weights[column]?.map((weight) => Math.max(1, Math.round(Math.abs(weight)))) ?? null;
}

/** Returns the number of samples in a profile; see {@link samplesPerRow}. */
export function countSamples(profile: Profile): number {
  const counts = samplesPerRow(profile);
  if (counts === null) return profile.samples.length;
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

/** Returns whether a value type counts samples: `cpu-clock` in `samples`, or `samples` in `count`. */
export const isSampleCount = ({ type, unit }: Pick<ValueType, 'type' | 'unit'>): boolean =>
  unit === 'samples' || (type === 'samples' && unit === 'count');
