import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import { frameBudget } from '../../ui/flame/slice-requests.ts';
import type { Compared, UnionTree } from '../../analysis/comparison/protocol.ts';
import type { CompareTab } from './compare.types.ts';

/** The tree that nodes of a comparison are of; those of other widths have the same nodes. */
export const UNION: UnionTree = { kind: 'union', width: 'union', shared: false };

/**
 * A tree of one comparison; its slices say row for row what both sides have there. A new comparison is a new source. `tree.shared`: whatever
 * fills the width, as much of it is drawn as wide in the other side's graph.
 */
export function compareSource(
  tab: CompareTab,
  { revision, tree: { totals, maxDepth } }: Compared,
  tree: UnionTree,
): FlameSource {
  return {
    direction: 'top-down',
    totalWeight: totals[tree.width],
    scale: tree.shared ? Math.max(totals.before, totals.after) : totals[tree.width],
    maxDepth,
    requestSlice: (request) =>
      tab.ask('slice', { revision, tree, ...request, maxFrames: frameBudget(request.maxFrames) }),
    requestPath: (node) => tab.ask('path', { revision, tree, node }),
    requestMatch: (request) => tab.ask('match', { revision, tree, ...request }),
  };
}
