import { hasWeight, otherTypesWithWeight } from '#core/analyze/other-value-types.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile, ValueType } from '#core/model/profile.ts';
import { SAMPLES } from '#core/import/perf-script/events.ts';
import { usageError } from '../errors.ts';
import { warn } from '../output/terminal.ts';

const fullName = ({ type, unit }: ValueType): string => `${type}/${unit}`;

/**
 * Reports on stderr that no sample of the selection has weight, with the value types that have, or that the transforms
 * hide it all.
 */
export function noteEmpty(profile: Profile, selection: Selection, transforms: ResolvedTransforms | null): void {
  if (profile.samples.length === 0 || hasWeight(profile, selection, transforms)) return;
  const { valueTypes } = profile;
  const others = otherTypesWithWeight(profile, selection, transforms).map((row) => fullName(valueTypes[row]!));
  if (others.length === 0 && hasWeight(profile, selection, null)) {
    warn('the transforms hide the whole selection');
    return;
  }
  const remedy =
    others.length === 0 ? 'no value type has weight' : `--type takes one with weight: ${others.join(', ')}`;
  const isPart = selection.threads !== null || selection.timeRange !== null;
  const what = isPart ? 'no sample of the selection' : 'no sample';
  warn(`${what} has weight in ${fullName(valueTypes[selection.valueType]!)}; ${remedy}`);
}

/**
 * Returns the value type named `type` or `type/unit`; the profile's default if none is named. An event's name is that of
 * its weight, not of its number of samples.
 */
export function chooseValueType(profile: Profile, wanted: string | undefined): ValueTypeIndex {
  const { valueTypes, metadata } = profile;
  if (wanted === undefined) return metadata.defaultValueType;
  const rows = [...valueTypes.keys()];
  const exact = rows.find((row) => fullName(valueTypes[row]!) === wanted);
  const named = exact === undefined ? rows.filter((row) => valueTypes[row]!.type === wanted) : [exact];
  if (named.length === 1) return named[0] as ValueTypeIndex;
  const weights = named.filter((row) => valueTypes[row]!.unit !== SAMPLES);
  if (weights.length === 1) return weights[0] as ValueTypeIndex;
  if (named.includes(metadata.defaultValueType)) return metadata.defaultValueType;
  const what = named.length === 0 ? 'no value type' : 'more than one value type';
  const choice = (named.length === 0 ? rows : named).map((row) => fullName(valueTypes[row]!)).join(', ');
  throw usageError(`${what} of this profile is named '${wanted}'`, `--type takes one of ${choice}`);
}
