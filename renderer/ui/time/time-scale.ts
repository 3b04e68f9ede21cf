import type { TimeRange } from '#core/analyze/time/grid.ts';

/** Minimum length of a window; no capture has samples closer together. */
const LEAST_WINDOW_NS = 1000;

/** Returns the position of a time in a window: 0 at its start, 1 at its end. */
export function shareOf(window: TimeRange, time: number): number {
  return (time - window.start) / (window.end - window.start);
}

export function timeAt(window: TimeRange, share: number): number {
  return window.start + share * (window.end - window.start);
}

/**
 * Returns the window with `factor` times the length (below 1 zooms in), keeping `at` in place on the screen. Null shows
 * the whole.
 */
export function zoomedWindow(window: TimeRange, whole: TimeRange, at: number, factor: number): TimeRange | null {
  const length = window.end - window.start;
  const wanted = Math.max(Math.min(LEAST_WINDOW_NS, whole.end - whole.start), length * factor);
  if (wanted >= whole.end - whole.start) return null;
  const start = at - shareOf(window, at) * wanted;
  return within(whole, start, wanted);
}

/** Returns the window moved by a fraction of its length. */
export function pannedWindow(window: TimeRange, whole: TimeRange, share: number): TimeRange {
  const length = window.end - window.start;
  return within(whole, window.start + share * length, length);
}

/**
 * Returns a window that shows a range with a margin; null if that is everything. A moment gets a hundredth of the
 * whole.
 */
export function windowAround(range: TimeRange, whole: TimeRange): TimeRange | null {
  const length = Math.max((range.end - range.start) * 1.2, (whole.end - whole.start) / 100);
  if (length >= whole.end - whole.start) return null;
  const middle = (range.start + range.end) / 2;
  return within(whole, middle - length / 2, length);
}

function within(whole: TimeRange, start: number, length: number): TimeRange {
  const first = Math.max(whole.start, Math.min(whole.end - length, start));
  return { start: first, end: first + length };
}

/** Returns a range from two ends in any order, clipped to the whole; null if they do not overlap. */
export function rangeBetween(one: number, other: number, whole: TimeRange): TimeRange | null {
  const start = Math.max(whole.start, Math.min(one, other));
  const end = Math.min(whole.end, Math.max(one, other));
  return end > start ? { start, end } : null;
}

/** Returns the range moved; if there is none yet, the first tenth of the window. */
export function movedRange(chosen: TimeRange | null, window: TimeRange, whole: TimeRange, by: number): TimeRange {
  if (chosen === null) return firstRange(window);
  return within(whole, chosen.start + by, chosen.end - chosen.start);
}

/** Returns the range with one end moved, at most to a thousandth of the window from the other. */
export function resizedRange(
  chosen: TimeRange | null,
  window: TimeRange,
  whole: TimeRange,
  edge: 'start' | 'end',
  by: number,
): TimeRange {
  if (chosen === null) return firstRange(window);
  const least = Math.min(chosen.end - chosen.start, (window.end - window.start) / 1000);
  if (edge === 'start') {
    return { start: Math.max(whole.start, Math.min(chosen.end - least, chosen.start + by)), end: chosen.end };
  }
  return { start: chosen.start, end: Math.min(whole.end, Math.max(chosen.start + least, chosen.end + by)) };
}

const firstRange = ({ start, end }: TimeRange): TimeRange => ({ start, end: start + (end - start) / 10 });

/**
 * Rounds the ends of a range to whole nanoseconds if samples' times are integers, which does not move any sample across
 * them.
 */
export function settledRange({ start, end }: TimeRange, whole: TimeRange): TimeRange {
  if (!Number.isInteger(whole.start)) return { start, end };
  const first = Math.min(Math.ceil(start), whole.end - 1);
  return { start: first, end: Math.max(first + 1, Math.ceil(end)) };
}
