import type { TimeRange } from '#core/analyze/time/time-grid.ts';

/** Ranges that the user went into: the outermost first, each within those before it. */
export type CommittedRanges = readonly TimeRange[];

/** What a view is limited to in time. The range lies within those committed; it is the innermost of them where nothing in it is chosen. */
export interface TimeChoice {
  readonly committed: CommittedRanges;
  /** What is analysed; null: all of the time. */
  readonly timeRange: TimeRange | null;
}

export const NO_COMMITS: CommittedRanges = [];
export const ALL_TIME: TimeChoice = { committed: NO_COMMITS, timeRange: null };

/** Another range, as it was chosen in the strip (null: none there): ranges that don't hold it are left. */
export function withRange(committed: CommittedRanges, range: TimeRange | null): TimeChoice {
  if (range === null) return outTo(committed, committed.length);
  const outer = committed.findIndex((one) => !holds(one, range));
  return { committed: outer < 0 ? committed : committed.slice(0, outer), timeRange: range };
}

/** Into the chosen range, so that it is all that there is to choose from. As before where none is chosen. */
export function goneInto({ committed, timeRange }: TimeChoice): TimeChoice {
  const chosen = chosenRange({ committed, timeRange });
  return chosen === null ? { committed, timeRange } : { committed: [...committed, chosen], timeRange: chosen };
}

/** Back out to the first so many of the ranges; 0: to all of the time. */
export function outTo(committed: CommittedRanges, count: number): TimeChoice {
  const kept = count >= committed.length ? committed : committed.slice(0, count);
  return { committed: kept, timeRange: kept.at(-1) ?? null };
}

/** What is chosen within the innermost range; null: nothing in particular. */
export function chosenRange({ committed, timeRange }: TimeChoice): TimeRange | null {
  const inner = committed.at(-1);
  const isAll = inner !== undefined && timeRange !== null && holds(timeRange, inner);
  return isAll ? null : timeRange;
}

/** As it was kept, from wherever: none where it is not what a {@link TimeChoice} says. */
export function readCommitted(committed: CommittedRanges, timeRange: TimeRange | null): CommittedRanges {
  const ranges = timeRange === null ? committed : [...committed, timeRange];
  const nested = ranges.every((range, index) => index === 0 || holds(ranges[index - 1]!, range));
  return timeRange !== null && nested ? committed : NO_COMMITS;
}

const holds = (outer: TimeRange, inner: TimeRange): boolean => inner.start >= outer.start && inner.end <= outer.end;
