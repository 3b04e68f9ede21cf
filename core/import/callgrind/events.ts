import { findUnit } from '../../units/units.ts';

/** A column of costs: `value = cost × scale`. */
export interface CallgrindEvent {
  readonly type: string;
  readonly unit: string;
  readonly scale: number;
}

/** `Time_(10ns)` of Xdebug, `Memory_(bytes)`, `cpu(ms)` of pprof. */
const WITH_UNIT = /^(.+?)_?\((\d+)? ?(\p{L}+)\)$/u;

/** `longName` comes from an `event:` line; some converters state the unit only there: `event: ns : Nanoseconds`. */
export function callgrindEvent(name: string, longName: string | undefined): CallgrindEvent {
  const [, type, factor = '1', unitName = ''] = WITH_UNIT.exec(name) ?? [];
  const unit = findUnit(unitName === '' ? (longName ?? '') : unitName);
  if (unit === null || unit.dimension === 'count') return { type: name, unit: 'count', scale: 1 };
  return { type: type ?? name, unit: unit.name, scale: Number(factor) };
}
