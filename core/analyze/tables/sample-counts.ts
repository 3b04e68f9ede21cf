import { functionStats } from './function-stats.ts';
import type { FunctionStats, StackView } from '../view/stack-view.ts';

/** Self and total of every function in the view, in samples instead of weight; rows as {@link functionStats} has them. */
export function sampleCounts(view: StackView): FunctionStats {
  return functionStats({ ...view, self: Float64Array.from(view.count) });
}
