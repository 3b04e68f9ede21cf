import type { ValueTypeIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { findUnit } from '../../units/units.ts';
import type { Side } from '../../contract/side.ts';

/** Identifies a value type across profiles. */
export interface ValueTypeName {
  readonly type: string;
  readonly unit: string;
}

/**
 * Returns the value type by which both sides are compared if neither side names one: the default of the first capture.
 */
export function commonValueType(
  first: Profile,
  before: ValueTypeName | null,
  after: ValueTypeName | null,
): Readonly<Record<Side, ValueTypeName>> {
  const { type, unit } = first.valueTypes[first.metadata.defaultValueType]!;
  return { before: before ?? after ?? { type, unit }, after: after ?? before ?? { type, unit } };
}

/**
 * Returns the value type with this name, otherwise one of the same type, otherwise one whose unit has the same
 * dimension, otherwise the profile's default.
 */
export function nearestValueType({ valueTypes, metadata }: Profile, { type, unit }: ValueTypeName): ValueTypeIndex {
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
