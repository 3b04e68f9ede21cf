import { fixedDecimals, shownScale } from './format.ts';
import { findUnit } from './units.ts';

/**
 * Round steps of an axis and the format of its values: in one unit, with as many decimals as needed to distinguish
 * steps.
 */
export interface AxisScale {
  /** In the axis' unit. */
  readonly step: number;
  readonly text: (value: number) => string;
}

/**
 * Returns the smallest round step that is at least `least`. `largest`, the value at the axis' end, determines the unit.
 */
export type ScaleChoice = (largest: number, least: number) => AxisScale;

/** Beyond this, doubles of a sum have no digits left. */
const MAX_DECIMALS = 12;

/**
 * Returns the scale for weights in one unit. `leastCount` is the smallest step of a count; 0 if counts are divided.
 */
export function weightScale(locale: string, unitName: string, leastCount = 1): ScaleChoice {
  const round = roundSteps(locale);
  const unit = findUnit(unitName);
  if (unit === null || unit.dimension === 'count') {
    return (largest, least) => {
      const { symbol, inBase } = shownScale(largest, 'count');
      return round(`${symbol} ${unit?.symbol ?? unitName}`.trim(), inBase, Math.max(leastCount, least));
    };
  }
  return (largest, least) => {
    const { symbol, inBase } = shownScale(largest * unit.inBase, unit.dimension);
    return round(symbol, inBase / unit.inBase, least);
  };
}

/** Returns the scale for fractions of 1: `12.5 %`. */
export function shareScale(locale: string): ScaleChoice {
  const round = roundSteps(locale);
  return (_, least) => round('%', 0.01, least);
}

/**
 * Steps are 1, 2 or 5 times a power of ten of the unit written as `symbol`. Caches number formats, which are slow to
 * create.
 */
function roundSteps(locale: string): (symbol: string, inUnit: number, least: number) => AxisScale {
  const formats = new Map<number, Intl.NumberFormat>();
  return (symbol, inUnit, least) => {
    const wanted = Math.max(least / inUnit, 10 ** -MAX_DECIMALS);
    const exponent = Math.floor(Math.log10(wanted));
    const power = 10 ** exponent;
    // Rounding must not skip a step that fits exactly.
    const digit = [1, 2, 5].find((each) => each * power >= wanted * (1 - 1e-9)) ?? 10;
    const decimals = Math.max(0, digit === 10 ? -exponent - 1 : -exponent);
    const number = formats.get(decimals) ?? fixedDecimals(locale, decimals);
    formats.set(decimals, number);
    const suffix = symbol === '' ? '' : ` ${symbol}`;
    const text = (value: number): string => `${value === 0 ? '0' : number.format(value / inUnit)}${suffix}`;
    return { step: digit * power * inUnit, text };
  };
}
