import type { Selection } from '#core/analyze/stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { findUnit } from '#core/units/units.ts';
import type { SideChoice, ValueTypeName } from './compare-protocol.ts';

/** What both sides are compared by where neither says so: the default of the first capture. */
export function commonValueType(
  first: Profile,
  before: ValueTypeName | null,
  after: ValueTypeName | null,
): Readonly<Record<'before' | 'after', ValueTypeName>> {
  const { type, unit } = first.valueTypes[first.metadata.defaultValueType]!;
  return { before: before ?? after ?? { type, unit }, after: after ?? before ?? { type, unit } };
}

/** What of a capture a side's choice means. */
export function sideSelection(
  profile: Profile,
  { threads, timeRange }: Omit<SideChoice, 'valueType'>,
  valueType: ValueTypeName,
): Selection {
  return {
    valueType: nearestValueType(profile, valueType),
    threads: threads === null ? null : threadsNamed(profile, threads),
    timeRange,
  };
}

/** The one itself, else one of its type, else one of its unit's dimension, else the profile's default. */
function nearestValueType({ valueTypes, metadata }: Profile, { type, unit }: ValueTypeName): ValueTypeIndex {
  const { defaultValueType } = metadata;
  const dimension = findUnit(unit)?.dimension ?? null;
  const likeness = (index: number): number => {
    const own = valueTypes[index]!;
    const isDefault = index === defaultValueType ? 1 : 0;
    if (own.type === type) return 4 + (own.unit === unit ? 4 : 0) + isDefault;
    return (dimension !== null && findUnit(own.unit)?.dimension === dimension ? 2 : 0) + isDefault;
  };
  const indices = [...valueTypes.keys()];
  return indices.reduce((best, index) => (likeness(index) > likeness(best) ? index : best)) as ValueTypeIndex;
}

function threadsNamed({ threads, strings }: Profile, names: readonly string[]): ThreadIndex[] {
  const wanted = new Set(names);
  const all = Array.from({ length: threads.length }, (_, row) => row as ThreadIndex);
  return all.filter((row) => wanted.has(strings[threads.name[row]!]!));
}
