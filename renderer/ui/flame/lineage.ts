import type { FlameSource, TreeLineage } from '#core/analyze/graph/flame-slice.ts';

/** Returns the lineage of two trees; undefined if the later one is not the earlier one with more samples. */
export function lineageOf(before: FlameSource, after: FlameSource): TreeLineage | undefined {
  return before.lineage === after.lineage ? after.lineage : undefined;
}
