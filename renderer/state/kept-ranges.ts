import { useCallback, useMemo } from 'react';
import { sameRange, type WeightRange } from '../../core/analyze/graph/weight-range.ts';
import type { HeldRange, RangeChange, RangeKeeper } from '../ui/flame/use-zoom.ts';
import { useStore, type Store } from './store.ts';

/** The ranges that a view's graphs are zoomed to, which are part of the history of Back and Forward. */
export interface KeptRanges {
  /** By graph. */
  readonly of: Readonly<Record<string, HeldRange>>;
  /** How the newest of them came about. */
  readonly change: RangeChange;
}

export const NO_RANGES: KeptRanges = { of: {}, change: 'step' };

/** Keeps the range of one of a view's graphs; its ranges must all be of type `R`. */
export function useKeptRange<R extends WeightRange = WeightRange>(
  ranges: Store<KeptRanges>,
  graph: string,
): RangeKeeper<R> {
  const kept = useStore(ranges, ({ of }) => of[graph] ?? null) as HeldRange<R> | null;
  const keep = useCallback(
    (held: HeldRange<R>, change: RangeChange) => ranges.set({ of: { ...ranges.get().of, [graph]: held }, change }),
    [ranges, graph],
  );
  return useMemo(() => ({ kept, keep }), [kept, keep]);
}

/** Returns whether all graphs show the same parts. A range of an earlier tree is another one. */
export function sameRanges(a: KeptRanges['of'], b: KeptRanges['of']): boolean {
  return [...Object.keys(a), ...Object.keys(b)].every((graph) => sameHeld(a[graph], b[graph]));
}

function sameHeld(a: HeldRange | undefined, b: HeldRange | undefined): boolean {
  if (a === b || !(a?.range || b?.range)) return true;
  return (
    a !== undefined &&
    b !== undefined &&
    a.node === b.node &&
    a.source.revision === b.source.revision &&
    sameRange(a.range, b.range)
  );
}
