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
  const column = sampleCountColumn(valueTypes, valueType);
  return samples.weights[column]?.map(samplesOf) ?? null;
}

/** Returns the weight column that counts the samples measured by a value type; -1 if none does. */
export function sampleCountColumn(valueTypes: readonly ValueType[], valueType: ValueTypeIndex): number {
  const chosen = valueTypes[valueType];
  const counts = valueTypes.filter(isSampleCount);
  const own = counts.find(({ type, event }) => type === chosen?.type && event === chosen.event);
  return (own ?? counts.find(({ event }) => event < 0))?.column ?? -1;
}

/** Returns the number of samples of a row from its weight in the column of counts. */
const samplesOf = (weight: number): number => Math.max(1, Math.round(Math.abs(weight)));

/** Returns the sum of a column of counts in samples. */
export function sumSamples(column: Float64Array): number {
  let sum = 0;
  for (const weight of column) sum += samplesOf(weight);
  return sum;
}

/** Returns the number of samples in a profile; see {@link samplesPerRow}. */
export function countSamples(profile: Profile): number {
  const { samples, valueTypes, metadata } = profile;
  const column = samples.weights[sampleCountColumn(valueTypes, metadata.defaultValueType)];
  return column === undefined ? samples.length : sumSamples(column);
}

/** Returns the number of samples that the default value type weighs: of several events, those of its own. */
export function countShownSamples(profile: Profile): number {
  const { samples, valueTypes, metadata } = profile;
  const event = valueTypes[metadata.defaultValueType]?.event ?? -1;
  if (event < 0 || samples.event === null) return countSamples(profile);
  return samples.event.reduce((count, one) => count + (one === event ? 1 : 0), 0);
}

/** Returns whether a value type counts samples: `cpu-clock` in `samples`, or `samples` in `count`. */
export const isSampleCount = ({ type, unit }: Pick<ValueType, 'type' | 'unit'>): boolean =>
  unit === 'samples' || (type === 'samples' && unit === 'count');
