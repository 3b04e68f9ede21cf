import { valueTypesWithWeight } from '#core/analyze/other-value-types.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile, ValueType } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { usageError } from '../errors.ts';
import { warn } from '../output/terminal.ts';

const fullName = ({ type, unit }: ValueType): string => `${type}/${unit}`;

/** The value type named `type` or `type/unit`; the profile's default where none is named. */
export function chooseValueType(profile: Profile, wanted: string | undefined): ValueTypeIndex {
  return noteEmpty(profile, findValueType(profile, wanted));
}

/** Returns `chosen`; where no sample has weight in it, a line on stderr names the value types that have some. */
export function noteEmpty(profile: Profile, chosen: ValueTypeIndex): ValueTypeIndex {
  const { valueTypes, samples } = profile;
  if (samples.length === 0 || sampleWeights(profile, chosen).some((weight) => weight !== 0)) return chosen;
  const others = valueTypesWithWeight(profile).map((row) => fullName(valueTypes[row]!));
  const remedy =
    others.length === 0 ? 'no value type has weight' : `--type takes one with weight: ${others.join(', ')}`;
  warn(`no sample has weight in ${fullName(valueTypes[chosen]!)}; ${remedy}`);
  return chosen;
}

function findValueType(profile: Profile, wanted: string | undefined): ValueTypeIndex {
  const { valueTypes, metadata } = profile;
  if (wanted === undefined) return metadata.defaultValueType;
  const rows = [...valueTypes.keys()];
  const exact = rows.find((row) => fullName(valueTypes[row]!) === wanted);
  const named = exact === undefined ? rows.filter((row) => valueTypes[row]!.type === wanted) : [exact];
  if (named.length === 1) return named[0] as ValueTypeIndex;
  if (named.includes(metadata.defaultValueType)) return metadata.defaultValueType;
  const what = named.length === 0 ? 'no value type' : 'more than one value type';
  const choice = (named.length === 0 ? rows : named).map((row) => fullName(valueTypes[row]!)).join(', ');
  throw usageError(`${what} of this profile is called '${wanted}'`, `--type takes one of ${choice}`);
}
