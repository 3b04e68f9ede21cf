import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import type { FlameSource, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import { frameBudget } from '../graph-requests.ts';
import type { Compared, CompareSlice } from '../../analysis/compare-protocol.ts';
import type { CompareTab } from './compare.types.ts';

/** The union tree of one comparison in one width. Its slices say row for row what both sides have there. */
export interface CompareSource extends FlameSource {
  requestSlice(request: SliceRequest): Promise<CompareSlice>;
}

/**
 * Trees of all widths have the same nodes. A new comparison is a new source. `shared`: whatever fills the width, as much of it is drawn as
 * wide in the other side's graph.
 */
export function compareSource(
  tab: CompareTab,
  { revision, tree }: Compared,
  width: DeltaWidth,
  shared: boolean,
): CompareSource {
  const { totals } = tree;
  return {
    direction: 'top-down',
    totalWeight: totals[width],
    scale: shared ? Math.max(totals.before, totals.after) : totals[width],
    maxDepth: tree.maxDepth,
    requestSlice: (request) =>
      tab.ask('slice', { revision, width, shared, ...request, maxFrames: frameBudget(request.maxFrames) }),
    requestPath: (node) => tab.ask('path', { revision, width, node }),
    requestMatch: (request) => tab.ask('match', { revision, width, ...request }),
  };
}
