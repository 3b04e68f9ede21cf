import type { MeasuredSeries } from '../../model/profile.ts';
import { visibleText } from '../function-label.ts';
import { formatShare, formatValue } from '../../units/format.ts';
import type { TimeRange } from './grid.ts';

export interface SeriesSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the SVG path of a series within a time range, from 0 at the bottom to its highest value at the top; gaps where
 * values are not known. Empty if no value is known.
 */
export function seriesPath({ at, values }: MeasuredSeries, range: TimeRange, { width, height }: SeriesSize): string {
  const most = highestOf(values) || 1;
  let isGap = true;
  return at
    .map((time, place) => {
      const value = values[place] ?? null;
      const step = isGap ? 'M' : 'L';
      isGap = value === null;
      if (value === null) return '';
      const x = (width * (time - range.start)) / (range.end - range.start);
      return `${step}${rounded(x)},${rounded(height * (1 - value / most))}`;
    })
    .join('');
}

/** Returns the lowest and the highest value as text; null if none is known. */
export function seriesExtent(
  { values, unit }: MeasuredSeries,
  locale = 'en',
): { readonly least: string; readonly most: string } | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const text = (value: number): string =>
    unit === 'ratio' ? formatShare(value, 1, locale) : formatValue(value, unit, locale);
  return { least: text(lowestOf(known)), most: text(highestOf(known)) };
}

/** Returns `delay: 0.2 ms to 12.5 ms`. */
export function seriesSentence(series: MeasuredSeries, locale = 'en'): string {
  const extent = seriesExtent(series, locale);
  const values = extent === null ? 'not known' : `${extent.least} to ${extent.most}`;
  return `${visibleText(series.name.slice(0, 200))}: ${values}`;
}

const highestOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

const lowestOf = (values: readonly number[]): number => values.reduce((least, value) => Math.min(least, value));

const rounded = (value: number): number => Math.round(value * 100) / 100;
