import { numberLocale } from '../format.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { ProfileMetadata } from '#core/model/profile.ts';
import { format } from '../format.ts';

const SECOND = 1e9;
const MINUTE = 60 * SECOND;

/** Steps longer than a second, in seconds, as a clock has them. */
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Returns at most `most` round times of a window, labelled relative to the start of the whole. */
export function timeTicks(window: TimeRange, wholeStart: number, most: number): Tick[] {
  const step = tickStep((window.end - window.start) / Math.max(1, most));
  const ticks: Tick[] = [];
  for (let count = Math.ceil((window.start - wholeStart) / step); ; count++) {
    const at = wholeStart + count * step;
    if (at >= window.end || ticks.length > most) return ticks;
    ticks.push({ at, text: timeLabel(count * step, step) });
  }
}

/** Returns the smallest round step that is at least `least`. */
export function tickStep(least: number): number {
  if (least > SECOND) {
    const days = 86_400 * SECOND;
    const seconds = CLOCK_STEPS.find((step) => step * SECOND >= least);
    return seconds === undefined ? Math.ceil(least / days) * days : seconds * SECOND;
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(1e-3, least)));
  return ([1, 2, 5, 10].find((digit) => digit * power >= least) ?? 10) * power;
}

/**
 * Returns a time after the start, precise enough to distinguish steps of `stepNs`: `250 ms`, `12.34 s`, `1:02:03.5`.
 */
export function timeLabel(nanoseconds: number, stepNs: number): string {
  const size = Math.abs(nanoseconds);
  if (size === 0) return '0 s';
  if (size < SECOND && stepNs < SECOND) return shortLabel(nanoseconds, stepNs);
  if (size < MINUTE) return `${fixed(nanoseconds / SECOND, decimalsOf(stepNs / SECOND))} s`;
  const decimals = decimalsOf(stepNs / SECOND);
  const rounded = Math.round((size / SECOND) * 10 ** decimals) / 10 ** decimals;
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor(rounded / 60) % 60;
  const seconds = fixed(rounded % 60, decimals).padStart(decimals === 0 ? 2 : 3 + decimals, '0');
  const sign = nanoseconds < 0 ? '−' : '';
  if (hours === 0) return `${sign}${minutes}:${seconds}`;
  return `${sign}${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
}

function shortLabel(nanoseconds: number, stepNs: number): string {
  if (Math.abs(nanoseconds) >= 1e6 || stepNs >= 1e5) return `${fixed(nanoseconds / 1e6, decimalsOf(stepNs / 1e6))} ms`;
  return `${fixed(nanoseconds / 1e3, decimalsOf(stepNs / 1e3))} µs`;
}

/** Returns the number of decimals that distinguish steps; at most nine. */
const decimalsOf = (step: number): number => Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));

const fixed = (value: number, decimals: number): string => value.toFixed(decimals).replace('-', '−');

/** Returns a duration to three digits: `2.20 s`. */
export const durationLabel = ({ start, end }: TimeRange): string => format.value(end - start, 'nanoseconds');

/**
 * Returns the start and end of a range relative to the start of the whole, precise to a hundredth of its length or
 * better.
 */
export function rangeLabel({ start, end }: TimeRange, wholeStart: number): string {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, (end - start) / 100)));
  return `${timeLabel(start - wholeStart, step)} – ${timeLabel(end - wholeStart, step)}`;
}

/** Returns the time of day in the user's time zone; null if the profile does not say when it started. */
export function wallClock({ startTime }: Pick<ProfileMetadata, 'startTime'>, time: number): string | null {
  if (startTime === null) return null;
  const milliseconds = Number(startTime / 1000n) / 1000 + time / 1e6;
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return null;
  const day = date.toLocaleDateString(numberLocale(), { dateStyle: 'medium' });
  const fraction = String(date.getMilliseconds()).padStart(3, '0');
  return `${day}, ${date.toLocaleTimeString(numberLocale(), { hour12: false })}.${fraction}`;
}
