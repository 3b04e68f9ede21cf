import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import { frameBudget } from '../../ui/flame/slice-requests.ts';
import type { Compared, UnionTree } from '../../analysis/comparison/protocol.ts';
import type { CompareTab } from './compare.types.ts';

/** The tree that node indices of a comparison refer to; the trees of other widths have the same nodes. */
export const UNION: UnionTree = { kind: 'union', width: 'union', shared: false };

/**
 * Returns the source of one comparison's tree; its slices contain both sides' weights per row. A new comparison has a
 * new source. With `tree.shared`, both sides' graphs use one scale.
 */
export function compareGraphSource(
  tab: CompareTab,
  { revision, tree: { totals, maxDepth } }: Compared,
  tree: UnionTree,
): FlameSource {
  return {
    revision,
    direction: 'top-down',
    totalWeight: totals[tree.width],
    scale: tree.shared ? Math.max(totals.before, totals.after) : totals[tree.width],
    maxDepth,
    requestSlice: (request) =>
      tab.ask('slice', { revision, tree, ...request, maxFrames: frameBudget(request.maxFrames) }),
    requestSelf: (request) => tab.ask('self-weights', { revision, tree, ...request }),
    requestPath: (node) => tab.ask('path', { revision, tree, node }),
    requestMatch: (request) => tab.ask('match', { revision, tree, ...request }),
  };
}
