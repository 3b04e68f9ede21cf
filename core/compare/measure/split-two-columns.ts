import type { ValueTypeIndex } from '../../model/brand.ts';
import type { Profile, ValueType } from '../../model/profile.ts';

const COLUMNS = ['before', 'after'];

/** Whether a value type is called as a column of such a file: then its name tells a side, and no event. */
export const isColumn = (type: string): boolean => COLUMNS.includes(type);

/** Whether it is a folded file with two counts a line, as difffolded.pl writes it. */
export function hasTwoColumns(format: string, valueTypes: readonly Pick<ValueType, 'type'>[]): boolean {
  return format === 'folded' && valueTypes.map(({ type }) => type).join() === COLUMNS.join();
}

/** Both sides of a file that {@link hasTwoColumns}; null for any other profile. */
export function splitTwoColumns(profile: Profile): { readonly before: Profile; readonly after: Profile } | null {
  const { valueTypes, metadata } = profile;
  if (!hasTwoColumns(metadata.format, valueTypes)) return null;
  const side = (column: number): Profile => {
    const samples: ValueType = { type: 'samples', unit: 'count', event: -1, column: valueTypes[column]!.column };
    return { ...profile, valueTypes: [samples], metadata: { ...metadata, defaultValueType: 0 as ValueTypeIndex } };
  };
  return { before: side(0), after: side(1) };
}
