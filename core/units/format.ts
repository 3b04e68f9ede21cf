import { findUnit, units, type Dimension, type Unit } from './units.ts';

interface FormatOptions {
  /** `always` adds a plus sign, too, for deltas. */
  readonly sign?: 'auto' | 'always';
}

/** Formats for one locale. Caches the locale's number formats, which are slow to create. */
export interface Formatter {
  /** `1.23 s`, `4.2 MiB`, `12.5 objects`; counts below a million exactly, `1,234`, larger ones by SI steps, `10 G`. */
  readonly value: (value: number, unit: string, options?: FormatOptions) => string;
  /** Like `value`, but with all digits of counts. */
  readonly exact: (value: number, unit: string) => string;
  /** `12.3 %`; `<0.1 %` for values that would round to zero; `–` if the whole is 0. */
  readonly share: (part: number, whole: number, options?: FormatOptions) => string;
  /** A plain number, grouped, with up to three decimals. */
  readonly number: (value: number, options?: FormatOptions) => string;
  /** A count with its noun: `1 thread`, `1,559 threads`. */
  readonly count: (value: number, singular: string, plural?: string) => string;
}

/** Precision of formatted numbers. */
export interface FormatPrecision {
  /** Significant digits of scaled values; digits before the decimal point are always shown. Default 3. */
  readonly digits?: number;
  /** Decimals of shares. Default 1. */
  readonly percentDigits?: number;
}

/**
 * Smaller values are what rounding leaves of a difference of equal ones, and are shown as 0: of a base unit (a
 * picosecond, a thousandth of a byte), and of counts and shares, whose values per request may be small.
 */
const LEAST_SHOWN = { scaled: 1e-3, plain: 1e-12 } as const;

const orZero = (value: number, least: number): number => (Math.abs(value) < least / 2 ? 0 : value);

export function createFormatter(locale: string, { digits = 3, percentDigits = 1 }: FormatPrecision = {}): Formatter {
  const number = numberFormats(locale);
  /** The smallest share that is not shown as `<`. */
  const leastPercent = 10 ** -percentDigits;

  function scaled(value: number, dimension: Dimension, inBase: number, options: FormatOptions): string {
    const base = orZero(value * inBase, LEAST_SHOWN.scaled);
    const scale = shownScale(base, dimension, digits);
    const shown = base / scale.inBase;
    return `${number(shown, decimalsOf(shown, digits), options)} ${scale.symbol}`;
  }

  const isCount = (unit: Unit | null): boolean => unit === null || unit.dimension === 'count';

  function counted(text: string, value: number, unitName: string): string {
    const unit = findUnit(unitName);
    const symbol = unit === null ? unitName : Math.abs(value) === 1 ? unit.singular : unit.symbol;
    return symbol === '' ? text : `${text} ${symbol}`;
  }

  const formatter: Formatter = {
    value(value, unitName, options = {}) {
      const unit = findUnit(unitName);
      if (unit !== null && unit.dimension !== 'count') return scaled(value, unit.dimension, unit.inBase, options);
      const isLarge = shownScale(value, 'count', digits).inBase > 1;
      return counted(isLarge ? scaled(value, 'count', 1, options) : formatter.number(value, options), value, unitName);
    },
    exact: (value, unitName) =>
      isCount(findUnit(unitName))
        ? counted(formatter.number(value), value, unitName)
        : formatter.value(value, unitName),
    share(part, whole, options = {}) {
      if (whole === 0) return '–';
      const percent = orZero((part / whole) * 100, LEAST_SHOWN.plain);
      if (percent !== 0 && Math.abs(percent) < leastPercent / 2) {
        const least = percent < 0 ? -leastPercent : leastPercent;
        return `${percent < 0 ? '>' : '<'}${number(least, percentDigits, options)} %`;
      }
      return `${number(percent, percentDigits, options, percentDigits)} %`;
    },
    number(given, options = {}) {
      const value = orZero(given, LEAST_SHOWN.plain);
      return number(value, Number.isInteger(value) ? 0 : Math.max(3, decimalsOf(value, digits)), options);
    },
    count(value, singular, plural = `${singular}s`) {
      return `${formatter.number(value)} ${value === 1 ? singular : plural}`;
    },
  };
  return formatter;
}

const english = createFormatter('en');

/**
 * {@link Formatter.value} in English or another locale. To format many values in another locale, keep a {@link
 * createFormatter}.
 */
export function formatValue(value: number, unit: string, locale = 'en'): string {
  return (locale === 'en' ? english : createFormatter(locale)).value(value, unit);
}

/** {@link Formatter.count} in English. */
export const countText = english.count;

/** {@link Formatter.share} in English or another locale. */
export function formatShare(part: number, whole: number, locale = 'en'): string {
  return (locale === 'en' ? english : createFormatter(locale)).share(part, whole);
}

/** A unit in which values are shown. */
export interface Scale {
  readonly symbol: string;
  readonly inBase: number;
  /** Minimum value for this scale, in the base unit. */
  readonly from: number;
}

/** Seconds are used up to ten minutes and minutes up to ten hours: `90 s` is clearer than `1.5 min`. */
const LATE_SCALES: ReadonlyMap<string, number> = new Map([
  ['minutes', 600e9],
  ['hours', 36_000e9],
  ['days', 2 * 86_400e9],
]);

const SCALES: Readonly<Record<Dimension, readonly Scale[]>> = {
  time: scalesOf('time'),
  memory: scalesOf('memory'),
  count: ['', 'M', 'G', 'T', 'P', 'E'].map((symbol, step) => {
    const inBase = step === 0 ? 1 : 1000 ** (step + 1);
    return { symbol, inBase, from: inBase };
  }),
  frequency: scalesOf('frequency'),
};

function scalesOf(dimension: Dimension): Scale[] {
  const toScale = ({ name, symbol, inBase }: Unit): Scale => ({
    symbol,
    inBase,
    from: LATE_SCALES.get(name) ?? inBase,
  });
  return units.filter((row) => row.dimension === dimension).map(toScale);
}

/** Returns the scale at which a value is shown; `base` is in the dimension's base unit. */
export function shownScale(base: number, dimension: Dimension, digits = 3): Scale {
  const scales = SCALES[dimension];
  const place = Math.max(
    0,
    scales.findLastIndex(({ from }) => Math.abs(base) >= from),
  );
  const shown = base / scales[place]!.inBase;
  const above = scales[place + 1];
  // 999.9 µs is shown as 1 ms, not as 1,000 µs.
  const roundsUp =
    above !== undefined && roundTo(Math.abs(shown), decimalsOf(shown, digits)) * scales[place]!.inBase >= above.from;
  return roundsUp ? above : scales[place]!;
}

/**
 * Returns the decimals for the given number of significant digits; digits before the decimal point are always shown.
 */
function decimalsOf(value: number, digits: number): number {
  if (value === 0) return 0;
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return Math.max(0, Math.min(20, digits - before));
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

type FormatNumber = (value: number, decimals: number, options: FormatOptions, minDecimals?: number) => string;

function numberFormats(locale: string): FormatNumber {
  const formats = new Map<string, Intl.NumberFormat>();
  return (value, decimals, { sign = 'auto' }, minDecimals = 0) => {
    const key = `${decimals} ${minDecimals} ${sign}`;
    let format = formats.get(key);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, {
        minimumFractionDigits: minDecimals,
        maximumFractionDigits: decimals,
        // No sign if the rounded value is 0.
        signDisplay: sign === 'always' ? 'exceptZero' : 'negative',
      });
      formats.set(key, format);
    }
    return format.format(value);
  };
}

/** Returns a format with a fixed number of decimals. A value that rounds to 0 has no sign. */
export const fixedDecimals = (locale: string, decimals: number): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  });
