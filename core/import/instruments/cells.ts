/** A number as Instruments prints it, in the base unit of its kind. */
export interface Measure {
  readonly kind: MeasureKind;
  readonly value: number;
  /** Half of the last printed digit. */
  readonly tolerance: number;
}

export type MeasureKind = 'time' | 'bytes' | 'cycles' | 'count';

/** The kind of a number and its size in nanoseconds, bytes or cycles, by Instruments' suffix. */
const UNITS = new Map<string, readonly [MeasureKind, number]>([
  ['ns', ['time', 1]],
  ['µs', ['time', 1e3]],
  ['us', ['time', 1e3]],
  ['ms', ['time', 1e6]],
  ['s', ['time', 1e9]],
  ['min', ['time', 60e9]],
  ['h', ['time', 3600e9]],
  ['bytes', ['bytes', 1]],
  ['b', ['bytes', 1]],
  ['kb', ['bytes', 2 ** 10]],
  ['mb', ['bytes', 2 ** 20]],
  ['gb', ['bytes', 2 ** 30]],
  ['kib', ['bytes', 2 ** 10]],
  ['mib', ['bytes', 2 ** 20]],
  ['gib', ['bytes', 2 ** 30]],
  ['cycles', ['cycles', 1]],
  ['kc', ['cycles', 1e3]],
  ['mc', ['cycles', 1e6]],
  ['gc', ['cycles', 1e9]],
  ['', ['count', 1]],
  ['k', ['count', 1e3]],
  ['m', ['count', 1e6]],
  ['g', ['count', 1e9]],
]);

/** Cells that Instruments prints have less than half as many characters. */
const MAX_CELL = 80;
const CELL = /^\s*([\d.,]{1,40})\s*(\p{L}*)(?:\s+[\d.,]+\s?%)?\s*$/u;

/** Parses a cell: `96.08 Gc  100.0%`, `4273.0ms`, `693` (in `unit`), `-` for nothing; null if it has another form. */
export function parseMeasure(cell: string, unit: string): Measure | null {
  if (cell.length > MAX_CELL) return null;
  if (/^\s*-?\s*$/.test(cell)) return { kind: UNITS.get(unit)?.[0] ?? 'count', value: 0, tolerance: 0 };
  const [, digits, name = ''] = CELL.exec(cell) ?? [];
  if (digits === undefined) return null;
  const [kind, factor] = UNITS.get((name === '' ? unit : name).toLowerCase()) ?? [];
  if (kind === undefined || factor === undefined) return null;
  const text = withPoint(digits);
  const decimals = text.length - 1 - (text.includes('.') ? text.indexOf('.') : text.length - 1);
  const value = Number(text) * factor;
  return Number.isFinite(value) ? { kind, value: Math.round(value), tolerance: (factor / 10 ** decimals) * 0.5 } : null;
}

/** One or two digits after the last comma are decimals if there is no point; other commas group digits. */
function withPoint(digits: string): string {
  const isDecimal = !digits.includes('.') && /,\d{1,2}$/.test(digits);
  return isDecimal ? digits.replace(/,(\d{1,2})$/, '.$1').replaceAll(',', '') : digits.replaceAll(',', '');
}
