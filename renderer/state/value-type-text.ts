import { findUnit } from '#core/units/units.ts';
import type { OpenedProfile } from '../analysis/profile/protocol.ts';

/** Returns a label such as `cpu-clock`; with the unit if another value type has the same name. */
export function valueTypeText(valueTypes: OpenedProfile['valueTypes'], index: number): string {
  const { type, unit } = valueTypes[index] ?? { type: '', unit: '' };
  const ambiguous = valueTypes.filter((other) => other.type === type).length > 1;
  return ambiguous ? `${type}, ${findUnit(unit)?.symbol || unit}` : type;
}
