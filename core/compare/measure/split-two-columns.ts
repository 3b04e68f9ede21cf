import type { ValueTypeIndex } from '../../model/brand.ts';
import type { Profile, ValueType } from '../../model/profile.ts';

const COLUMNS = ['before', 'after'];

/**
 * Returns whether a value type is named like a column of such a file. The name then identifies a side instead of an
 * event.
 */
export const isColumn = (type: string): boolean => COLUMNS.includes(type);

/** Returns whether it is a folded file with two counts per line, as difffolded.pl writes it. */
export function hasTwoColumns(format: string, valueTypes: readonly Pick<ValueType, 'type'>[]): boolean {
  return format === 'folded' && valueTypes.map(({ type }) => type).join() === COLUMNS.join();
}

/** Returns both sides of a file for which {@link hasTwoColumns} holds; null for any other profile. */
export function splitTwoColumns(profile: Profile): { readonly before: Profile; readonly after: Profile } | null {
  const { valueTypes, metadata } = profile;
  if (!hasTwoColumns(metadata.format, valueTypes)) return null;
  const side = (column: number): Profile => {
    const samples: ValueType = { type: 'samples', unit: 'count', event: -1, column: valueTypes[column]!.column };
    return { ...profile, valueTypes: [samples], metadata: { ...metadata, defaultValueType: 0 as ValueTypeIndex } };
  };
  return { before: side(0), after: side(1) };
}
