import { useEffect, useMemo, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import { useZoom, type Zoom } from '../../../ui/flame/use-zoom.ts';
import type { WeightRange } from '../../../../core/analyze/graph/weight-range.ts';
import { useKeptRange } from '../../../state/kept-ranges.ts';
import { useCompareState } from '../../../state/compare/context.ts';
import type { CompareTab } from '../../../state/compare/compare.types.ts';
import { takeAnswer } from '../../../ui/take-answer.ts';
import { otherSide, type Side } from '#core/contract/side.ts';

/** The visible range of the graph that the user moved. */
interface SideRange extends WeightRange {
  readonly side: Side;
}

/** The corresponding range of the other graph. */
interface Carried {
  readonly of: SideRange;
  readonly node: CallNodeIndex;
  readonly range: WeightRange | null;
}

/**
 * Returns one zoom with one history for both graphs: when one is moved, the other follows to the same frames, on the
 * same scale.
 */
export function useLinkedZoom(tab: CompareTab, revision: number, source: FlameSource): Readonly<Record<Side, Zoom>> {
  const node = useCompareState((state) => state.zoomNode);
  const keeper = useKeptRange<SideRange>(tab.ranges, 'pair');
  const zoom = useZoom(source, node, tab.zoom, { keeper });
  const [carried, setCarried] = useState<Carried | null>(null);
  const { range, toRange } = zoom;
  useEffect(() => {
    if (range === null) return undefined;
    const { side, first, last } = range;
    const params = { revision, root: node, range: { first, last }, from: side, to: otherSide(side) };
    // If this fails, the graph that could not follow reports the error at its next request.
    return takeAnswer(
      tab.ask('carry-range', params),
      (found) => setCarried({ of: range, node, range: found }),
      () => undefined,
    );
  }, [tab, revision, node, range]);

  return useMemo(() => {
    const following = carried !== null && carried.node === node && range !== null ? carried.range : null;
    const side = (name: Side): Zoom => ({
      ...zoom,
      range: range?.side === name ? range : following,
      toRange: (next, byGesture) => toRange(next === null ? null : { ...next, side: name }, byGesture),
    });
    return { before: side('before'), after: side('after') };
  }, [zoom, range, carried, node, toRange]);
}
