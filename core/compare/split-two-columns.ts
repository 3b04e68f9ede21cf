import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile, ValueType } from '../model/profile.ts';

/** Both sides of a folded file with two counts a line, as difffolded.pl writes it; null for any other profile. */
export function splitTwoColumns(profile: Profile): { readonly before: Profile; readonly after: Profile } | null {
  const { valueTypes, metadata } = profile;
  const isDiff = metadata.format === 'folded' && valueTypes.map(({ type }) => type).join() === 'before,after';
  if (!isDiff) return null;
  const side = (column: number): Profile => {
    const samples: ValueType = { type: 'samples', unit: 'count', event: -1, column: valueTypes[column]!.column };
    return { ...profile, valueTypes: [samples], metadata: { ...metadata, defaultValueType: 0 as ValueTypeIndex } };
  };
  return { before: side(0), after: side(1) };
}
