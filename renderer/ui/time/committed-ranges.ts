import type { TimeRange } from '#core/analyze/time/grid.ts';

/** The ranges that the user entered, outermost first, each within the previous one. */
export type CommittedRanges = readonly TimeRange[];

/**
 * The time limits of a view. The range is within the committed ones; it equals the innermost if nothing in it is
 * selected.
 */
export interface TimeChoice {
  readonly committed: CommittedRanges;
  /** The range that is analysed; null for all. */
  readonly timeRange: TimeRange | null;
}

export const NO_COMMITS: CommittedRanges = [];
export const ALL_TIME: TimeChoice = { committed: NO_COMMITS, timeRange: null };

/**
 * Returns the choice after a range was selected in the strip (null for none): committed ranges that do not contain it
 * are left.
 */
export function withRange(committed: CommittedRanges, range: TimeRange | null): TimeChoice {
  if (range === null) return leaveInnerRanges(committed, committed.length);
  const outer = committed.findIndex((one) => !holds(one, range));
  return { committed: outer < 0 ? committed : committed.slice(0, outer), timeRange: range };
}

/** Enters the selected range, which becomes the innermost committed one; unchanged if none is selected. */
export function enterSelectedRange({ committed, timeRange }: TimeChoice): TimeChoice {
  const chosen = chosenRange({ committed, timeRange });
  return chosen === null ? { committed, timeRange } : { committed: [...committed, chosen], timeRange: chosen };
}

/** Leaves all but the first `count` ranges; 0 returns to all of the time. */
export function leaveInnerRanges(committed: CommittedRanges, count: number): TimeChoice {
  const kept = count >= committed.length ? committed : committed.slice(0, count);
  return { committed: kept, timeRange: kept.at(-1) ?? null };
}

/** Returns the range selected within the innermost one; null if there is none. */
export function chosenRange({ committed, timeRange }: TimeChoice): TimeRange | null {
  const inner = committed.at(-1);
  const isAll = inner !== undefined && timeRange !== null && holds(timeRange, inner);
  return isAll ? null : timeRange;
}

/** Validates stored ranges; returns none if they do not form a {@link TimeChoice}. */
export function readCommitted(committed: CommittedRanges, timeRange: TimeRange | null): CommittedRanges {
  const ranges = timeRange === null ? committed : [...committed, timeRange];
  const nested = ranges.every((range, index) => index === 0 || holds(ranges[index - 1]!, range));
  return timeRange !== null && nested ? committed : NO_COMMITS;
}

const holds = (outer: TimeRange, inner: TimeRange): boolean => inner.start >= outer.start && inner.end <= outer.end;
