import type { TimeRange } from '#core/analyze/time/time-grid.ts';

/** Zooming ends here: samples are no closer to one another in any capture. */
const LEAST_WINDOW_NS = 1000;

/** Where a time lies in a window: 0 at its start, 1 at its end. */
export function shareOf(window: TimeRange, time: number): number {
  return (time - window.start) / (window.end - window.start);
}

export function timeAt(window: TimeRange, share: number): number {
  return window.start + share * (window.end - window.start);
}

/**
 * The window `factor` times as long (below 1: closer), with `at` staying where it is on the screen. Null: all of the whole shows.
 */
export function zoomedWindow(window: TimeRange, whole: TimeRange, at: number, factor: number): TimeRange | null {
  const length = window.end - window.start;
  const wanted = Math.max(Math.min(LEAST_WINDOW_NS, whole.end - whole.start), length * factor);
  if (wanted >= whole.end - whole.start) return null;
  const start = at - shareOf(window, at) * wanted;
  return within(whole, start, wanted);
}

/** The window moved by a part of its own length. */
export function pannedWindow(window: TimeRange, whole: TimeRange, share: number): TimeRange {
  const length = window.end - window.start;
  return within(whole, window.start + share * length, length);
}

/** A window in which a range is seen whole, with a little around it; null where that is all. A moment gets a hundredth of the whole. */
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

/** Two ends in any order as a range inside the whole; null where nothing of the whole is in it. */
export function rangeBetween(one: number, other: number, whole: TimeRange): TimeRange | null {
  const start = Math.max(whole.start, Math.min(one, other));
  const end = Math.min(whole.end, Math.max(one, other));
  return end > start ? { start, end } : null;
}

/** The range moved; where there is none yet, the first tenth of the window. */
export function movedRange(chosen: TimeRange | null, window: TimeRange, whole: TimeRange, by: number): TimeRange {
  if (chosen === null) return firstRange(window);
  return within(whole, chosen.start + by, chosen.end - chosen.start);
}

/** One end of the range moved, at most to a thousandth of the window from the other. */
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

/** Ends of a range as they are kept: whole nanoseconds where samples' times are, which changes no sample's side. */
export function settledRange({ start, end }: TimeRange, whole: TimeRange): TimeRange {
  if (!Number.isInteger(whole.start)) return { start, end };
  const first = Math.min(Math.ceil(start), whole.end - 1);
  return { start: first, end: Math.max(first + 1, Math.ceil(end)) };
}
