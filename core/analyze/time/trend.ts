import { functionStats } from '../tables/function-stats.ts';
import type { ResolvedTransforms } from '../view/transforms.ts';
import { buildStackView } from '../view/build-stack-view.ts';
import type { FunctionStats, StackView } from '../view/stack-view.ts';
import type { Profile } from '../../model/profile.ts';

/** Minimum samples of a function for a trend. */
const LEAST_SAMPLES = 10;
/** Differences between the halves below this many standard deviations of their counts are noise. */
const LEAST_DEVIATIONS = 3;

/**
 * Returns, by row of `stats`, whether a function's total in the second half of the view's time differs from that in the
 * first by more than counting noise: 1 hotter, −1 cooler, 0 neither. It is a hint: rates of programs vary more than
 * counts do. Null if no sample has a time.
 */
export function functionTrends(
  profile: Profile,
  view: StackView,
  resolved: ResolvedTransforms,
  stats: Pick<FunctionStats, 'func' | 'total'>,
): Int8Array | null {
  const { time } = profile.samples;
  let [start, end] = [Infinity, -Infinity];
  for (const one of time ?? []) {
    if (one < start) start = one;
    if (one > end) end = one;
  }
  const { timeRange } = view.selection;
  const from = Math.max(start, timeRange?.start ?? -Infinity);
  const to = Math.min(end, timeRange?.end ?? Infinity);
  if (!(to > from) || view.sampleCount === 0) return null;
  const middle = { start: from + (to - from) / 2, end: timeRange?.end ?? Infinity };
  const late = functionStats(buildStackView(profile, { ...view.selection, timeRange: middle }, resolved));
  const lateOf = new Map(Array.from(late.func, (func, row) => [func, late.total[row]!]));
  const unit = Math.abs(view.total) / view.sampleCount;
  return Int8Array.from(stats.func, (func, row) => {
    const all = stats.total[row]!;
    const second = lateOf.get(func) ?? 0;
    const difference = second - (all - second);
    if (all < LEAST_SAMPLES * unit || difference ** 2 <= LEAST_DEVIATIONS ** 2 * unit * all) return 0;
    return Math.sign(difference);
  });
}
