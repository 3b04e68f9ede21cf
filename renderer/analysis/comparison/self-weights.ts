import type { SelfWeights } from '#core/analyze/graph/flame-slice.ts';
import { selfWeights } from '#core/analyze/graph/self-weights.ts';
import { largestChange } from '#core/compare/largest-change.ts';
import type { ParamsOf } from '../methods.ts';
import type { CompareMethods } from './methods.ts';
import type { CompareTrees } from './slices.ts';

/** Returns what the weight of a drawn side or of the deltas is made of, and the frame that changed the most. */
export function compareSelfWeights(
  { table, tree: deltas, width }: CompareTrees,
  { tree: drawn, root, scheme }: Omit<ParamsOf<CompareMethods, 'self-weights'>, 'revision'>,
): SelfWeights {
  const { tree } = width(drawn.width);
  return { ...selfWeights(table, tree, root, scheme), hottest: largestChange(deltas, tree.total, root) };
}
