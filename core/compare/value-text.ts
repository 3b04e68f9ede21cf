import { visibleText } from '../analyze/function-label.ts';
import { shareScale, weightScale, type ScaleChoice } from '../units/axis-scale.ts';
import { createColumnFormat } from '../units/column-format.ts';
import { createFormatter, type FormatPrecision } from '../units/format.ts';
import { findUnit } from '../units/units.ts';
import type { Normalisation } from '../contract/normalisation.ts';
import type { Normalised } from './normalise.ts';

/** Formats the values of one comparison. The text does not include the divisor, which is in `per`. */
export interface ValueText {
  /** The divisor after a value: ` per second`, ` per request`, ` per run`; empty for raw values and shares. */
  readonly per: string;
  /** Follows a change: ` relative to the typical function`; empty if values are as measured. */
  readonly relativeTo: string;
  /** Formats a value in a unit of its own magnitude: `412 µs`, `12.3 %`. */
  readonly value: (value: number) => string;
  /** Formats a difference with its sign, for shares in percentage points: `+3.9 µs`, `-1.2 pp`. */
  readonly delta: (delta: number) => string;
  /** Formats half of an interval: `3.9 µs`, `1.2 pp`. */
  readonly reach: (reach: number) => string;
  /** Formats a change relative to the value before: `+12.3 %`. */
  readonly relative: (relative: number) => string;
  /** Formats with the same unit and number of decimals for all rows of a table. */
  readonly column: (value: number) => string;
  readonly columnDelta: (delta: number) => string;
  readonly columnReach: (reach: number) => string;
  /** For an axis. */
  readonly scale: ScaleChoice;
}

const PER: Readonly<Record<Normalisation, string>> = {
  raw: '',
  share: '',
  'per-second': 'second',
  'per-cpu-second': 'CPU-second',
  'per-request': 'request',
};

/** Small functions move by hundredths of a percentage point. */
const SHARE_DECIMALS = 2;
/**
 * Significant digits of a table's largest count, and the maximum number of decimals: a mean of counts can be
 * fractional.
 */
const COUNT_DIGITS = { significant: 5, decimals: 3 } as const;

/** Creates the formats. `largest` is the largest value of the table for which `column` is used. */
export function createValueText(
  locale: string,
  { kind, unit, isRelative }: Pick<Normalised, 'kind' | 'unit' | 'isRelative'>,
  largest: number,
  precision: FormatPrecision = {},
): ValueText {
  const formatter = createFormatter(locale, {
    ...precision,
    percentDigits: Math.max(SHARE_DECIMALS, precision.percentDigits ?? 0),
  });
  const percent = createFormatter(locale, precision);
  const relative = (part: number): string => percent.share(part, 1, { sign: 'always' });
  if (kind === 'share') {
    const value = (share: number): string => formatter.share(share, 1);
    const points = (text: string): string => `${text.slice(0, -'%'.length)}pp`;
    const delta = (share: number): string => points(formatter.share(share, 1, { sign: 'always' }));
    const reach = (share: number): string => points(value(share));
    return {
      per: '',
      relativeTo: '',
      value,
      delta,
      reach,
      relative,
      column: value,
      columnDelta: delta,
      columnReach: reach,
      scale: shareScale(locale),
    };
  }
  const per = unit.endsWith('/run') ? 'run' : PER[kind];
  // The unit may be arbitrary text from the file.
  const weightUnit = visibleText(per === '' ? unit : unit.slice(0, -(per.length + 1)));
  const value = (weight: number): string => formatter.value(weight, weightUnit);
  const column = isCount(weightUnit)
    ? countColumn(locale, weightUnit, largest, kind)
    : createColumnFormat(locale, weightUnit, largest, formatter);
  return {
    per: per === '' ? '' : ` per ${per.replace('-', ' ')}`,
    relativeTo: isRelative === true ? ' relative to the typical function' : '',
    value,
    delta: (delta) => formatter.value(delta, weightUnit, { sign: 'always' }),
    reach: value,
    relative,
    column,
    columnDelta: (delta) => withPlus(delta, column(delta)),
    columnReach: column,
    scale: weightScale(locale, weightUnit, kind === 'raw' ? 1 : 0),
  };
}

const isCount = (unit: string): boolean => (findUnit(unit)?.dimension ?? 'count') === 'count';

function countColumn(locale: string, unit: string, largest: number, kind: Normalisation): (value: number) => string {
  const before = Math.floor(Math.log10(Math.max(1, Math.abs(largest)))) + 1;
  const decimals = Math.max(0, Math.min(COUNT_DIGITS.decimals, COUNT_DIGITS.significant - before));
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: kind === 'raw' ? 0 : decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  });
  const least = 10 ** -decimals;
  const known = findUnit(unit);
  const symbol = known === null ? unit : known.symbol;
  const suffix = symbol === '' ? '' : ` ${symbol}`;
  return (value) => {
    if (value === 0) return `0${suffix}`;
    if (Math.abs(value) >= least / 2) return `${format.format(value)}${suffix}`;
    return value < 0 ? `>${format.format(-least)}${suffix}` : `<${format.format(least)}${suffix}`;
  };
}

function withPlus(delta: number, text: string): string {
  if (!(delta > 0)) return text;
  return text.startsWith('<') ? `<+${text.slice(1)}` : `+${text}`;
}
