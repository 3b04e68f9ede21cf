import { visibleText } from '../analyze/function-label.ts';
import { shareScale, weightScale, type ScaleChoice } from '../units/axis-scale.ts';
import { createColumnFormat } from '../units/column-format.ts';
import { createFormatter, type FormatPrecision } from '../units/format.ts';
import { findUnit } from '../units/units.ts';
import type { Normalisation } from './measure/capture-facts.ts';
import type { Normalised } from './measure/normalise.ts';

/** How the values of one comparison are written; none of it says what they were divided by, which `per` does. */
export interface ValueText {
  /** The divisor behind a value: ` per second`, ` per request`, ` per run`; empty for raw values and shares. */
  readonly per: string;
  /** By its own size: `412 µs`, `12.3 %`. */
  readonly value: (value: number) => string;
  /** With a sign; shares differ by percentage points: `+3.9 µs`, `-1.2 pp`. */
  readonly delta: (delta: number) => string;
  /** Half of an interval: `3.9 µs`, `1.2 pp`. */
  readonly reach: (reach: number) => string;
  /** Of the value before: `+12.3 %`. */
  readonly relative: (relative: number) => string;
  /** One unit and one number of decimals for all rows of a table. */
  readonly column: (value: number) => string;
  readonly columnDelta: (delta: number) => string;
  /** Of an axis. */
  readonly scale: ScaleChoice;
}

const PER: Readonly<Record<Normalisation, string>> = {
  raw: '',
  share: '',
  'per-second': 'second',
  'per-cpu-second': 'CPU-second',
  'per-request': 'request',
};

/** Small functions move by hundredths of a point. */
const SHARE_DECIMALS = 2;
/** Significant digits of a table's largest count, and its decimals at most: a mean of counts is no whole number. */
const COUNT_DIGITS = { significant: 5, decimals: 3 } as const;

/** `largest`: the largest value of the table that `column` and `columnDelta` are for. */
export function createValueText(
  locale: string,
  { kind, unit }: Pick<Normalised, 'kind' | 'unit'>,
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
    return { per: '', value, delta, reach, relative, column: value, columnDelta: delta, scale: shareScale(locale) };
  }
  const per = unit.endsWith('/run') ? 'run' : PER[kind];
  // Any text, where the file made it up.
  const weightUnit = visibleText(per === '' ? unit : unit.slice(0, -(per.length + 1)));
  const value = (weight: number): string => formatter.value(weight, weightUnit);
  const column = isCount(weightUnit)
    ? countColumn(locale, weightUnit, largest, kind)
    : createColumnFormat(locale, weightUnit, largest, formatter);
  return {
    per: per === '' ? '' : ` per ${per.replace('-', ' ')}`,
    value,
    delta: (delta) => formatter.value(delta, weightUnit, { sign: 'always' }),
    reach: value,
    relative,
    column,
    columnDelta: (delta) => withPlus(delta, column(delta)),
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
