import { createFormatter, fixedDecimals, shownScale, type Formatter } from './format.ts';
import { findUnit } from './units.ts';

/** Significant digits of the largest value; more would claim precision that sampling does not have. */
const SIGNIFICANT_DIGITS = 5;
const MAX_DECIMALS = 3;

/**
 * Formats a column of weights in one unit with a fixed number of decimals, so that decimal points align: `12.200 s`,
 * `0.083 s`, `<0.001 s`. `largest` is the column's maximum absolute value and determines the unit. Counts and unknown
 * units below a million stay exact.
 */
export function createColumnFormat(
  locale: string,
  unitName: string,
  largest: number,
  formatter: Formatter = createFormatter(locale),
): (value: number) => string {
  const unit = findUnit(unitName);
  const isCount = unit === null || unit.dimension === 'count';
  const { symbol, inBase } = shownScale(largest * (unit?.inBase ?? 1), unit?.dimension ?? 'count');
  if (isCount && inBase === 1) return (value) => formatter.value(value, unitName);
  const scale = { inBase, symbol: isCount ? `${symbol} ${unit?.symbol ?? unitName}`.trimEnd() : symbol };
  const factor = (unit?.inBase ?? 1) / scale.inBase;
  const decimals = scale.inBase === 1 && Number.isInteger(largest) ? 0 : decimalsFor(Math.abs(largest) * factor);
  const least = 10 ** -decimals;
  const number = fixedDecimals(locale, decimals);
  return (value) => {
    const shown = value * factor;
    if (shown === 0) return `0 ${scale.symbol}`;
    if (Math.abs(shown) >= least / 2) return `${number.format(shown)} ${scale.symbol}`;
    return shown < 0 ? `>${number.format(-least)} ${scale.symbol}` : `<${number.format(least)} ${scale.symbol}`;
  };
}

function decimalsFor(largest: number): number {
  if (largest === 0) return 0;
  const beforePoint = Math.floor(Math.log10(largest)) + 1;
  return Math.max(0, Math.min(MAX_DECIMALS, SIGNIFICANT_DIGITS - beforePoint));
}
