import { findUnit } from '#core/units/units.ts';
import type { OpenedProfile } from '../analysis/profile/protocol.ts';

/** `cpu-clock`; with the unit only where another value type is called the same. */
export function valueTypeText(valueTypes: OpenedProfile['valueTypes'], index: number): string {
  const { type, unit } = valueTypes[index] ?? { type: '', unit: '' };
  const ambiguous = valueTypes.filter((other) => other.type === type).length > 1;
  return ambiguous ? `${type}, ${findUnit(unit)?.symbol || unit}` : type;
}
