import type { VisibleSlice } from '#core/analyze/stack-view.ts';

/** How far from the pointer a frame may be that is narrower than its tip. */
const SLACK_PX = 1.5;
/** What is narrower shows as a hairline, which lies over its neighbours: it is met where it shows. */
const HAIRLINE_PX = 1;

/**
 * The slice row at a place: a depth, and a weight from the root's left edge. A hairline comes first, then what covers the place, then the
 * nearest within the pointer's tip. −1: nothing is there.
 */
export function rowAtPlace(slice: VisibleSlice, depth: number, weight: number, weightPerPx: number): number {
  let covering = -1;
  let nearest = -1;
  let nearestBy = SLACK_PX * weightPerPx;
  for (let row = 0; row < slice.length; row++) {
    if (slice.depth[row] !== depth) continue;
    const first = slice.start[row]!;
    const last = first + slice.total[row]!;
    const by = weight < first ? first - weight : weight > last ? weight - last : 0;
    if (slice.total[row]! < HAIRLINE_PX * weightPerPx && by <= HAIRLINE_PX * weightPerPx) return row;
    if (weight >= first && weight < last) covering = row;
    else if (by <= nearestBy) [nearest, nearestBy] = [row, by];
  }
  return covering < 0 ? nearest : covering;
}
