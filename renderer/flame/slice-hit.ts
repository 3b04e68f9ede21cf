import type { VisibleSlice } from '#core/analyze/stack-view.ts';

/**
 * The slice row at a place: a depth, and a weight from the root's left edge. Where none covers it, the nearest that is at most `slack`
 * away, so that what is narrower than the pointer's tip can be met. −1: nothing is there.
 */
export function rowAtPlace(slice: VisibleSlice, depth: number, weight: number, slack: number): number {
  let nearest = -1;
  let nearestBy = slack;
  for (let row = 0; row < slice.length; row++) {
    if (slice.depth[row] !== depth) continue;
    const first = slice.start[row]!;
    const last = first + slice.total[row]!;
    if (weight >= first && weight < last) return row;
    const by = weight < first ? first - weight : weight - last;
    if (by <= nearestBy) [nearest, nearestBy] = [row, by];
  }
  return nearest;
}
