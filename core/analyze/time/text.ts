import type { TimeRange } from './grid.ts';

/** Nanoseconds per unit that a time may end in. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['min', 60e9],
  ['h', 3600e9],
]);

/**
 * Parses a time as users write it and returns nanoseconds: `12.5` (seconds), `250ms`, `1:02.5`, `1:00:00`. Null if it
 * is not a time. Decimals are exact down to a nanosecond.
 */
export function parseTime(text: string): number | null {
  const trimmed = text.trim();
  const clock = /^(?:(\d{1,9}):)?(\d{1,9}):(\d{1,2}(?:\.\d{1,12})?)$/.exec(trimmed);
  if (clock !== null) {
    const [, hours = '0', minutes, seconds] = clock;
    if (Number(seconds) >= 60 || (clock[1] !== undefined && Number(minutes) >= 60)) return null;
    return (Number(hours) * 3600 + Number(minutes) * 60) * 1e9 + inUnit(seconds!, 1e9);
  }
  const plain = /^(-?\d{0,17}(?:\.\d{0,30})?(?:e-?\d{1,2})?) ?([a-zµμ]{0,3})$/.exec(trimmed);
  if (plain === null || !/\d/.test(plain[1]!)) return null;
  const unit = UNITS.get(plain[2] === '' ? 's' : plain[2]!);
  return unit === undefined || Number.isNaN(Number(plain[1])) ? null : inUnit(plain[1]!, unit);
}

/** Returns a whole number of nanoseconds if the digits state one, despite the rounding of doubles. */
function inUnit(digits: string, unit: number): number {
  const product = Number(digits) * unit;
  const rounded = Math.round(product);
  const decimals = /\.(\d*)/.exec(digits)?.[1]?.replace(/0+$/, '').length ?? 0;
  const isWhole = !digits.includes('e') && 10 ** decimals <= unit;
  return isWhole ? rounded : product;
}

/**
 * Formats seconds with as many decimals as needed to parse back to the same number; a fraction of a nanosecond is
 * written in nanoseconds.
 */
export function timeText(nanoseconds: number): string {
  if (!Number.isSafeInteger(nanoseconds)) return `${nanoseconds}ns`;
  const digits = String(Math.abs(nanoseconds)).padStart(10, '0');
  const decimals = digits.slice(-9).replace(/0+$/, '');
  const whole = digits.slice(0, -9);
  return `${nanoseconds < 0 ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Returns `1.5..2.25`, as `parseTimeRange` reads it. Both sides count from the profile's first sample. */
export function timeRangeText({ start, end }: TimeRange): string {
  return `${timeText(start)}..${timeText(end)}`;
}

/** Why a range is invalid. */
export type TimeRangeProblem = 'no-range' | 'bad-start' | 'bad-end' | 'empty';

/**
 * Parses `START..END`, half-open, both counted from the profile's first sample; an omitted side is the start or the end
 * of `whole`. The returned range uses the profile's own times.
 */
export function parseTimeRange(text: string, whole: TimeRange): TimeRange | TimeRangeProblem {
  const sides = text.split('..');
  if (sides.length !== 2) return 'no-range';
  const [from, to] = sides as [string, string];
  const start = from.trim() === '' ? 0 : parseTime(from);
  const end = to.trim() === '' ? whole.end - whole.start : parseTime(to);
  if (start === null) return 'bad-start';
  if (end === null) return 'bad-end';
  if (!(end > start)) return 'empty';
  return { start: whole.start + start, end: whole.start + end };
}
