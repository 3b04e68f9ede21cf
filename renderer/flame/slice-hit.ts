import type { VisibleSlice } from '#core/analyze/stack-view.ts';
import type { FunctionFacts, SliceTexture } from './flame-graph.types.ts';
import { HAIRLINE_PX } from './flame-layout.ts';

/** What a place shows. */
export interface SliceHit {
  /** −1: nothing. */
  readonly row: number;
  /** Of what a filler holds; null where that is not known. */
  readonly pointed: FunctionFacts | null;
}

export const NO_HIT: SliceHit = { row: -1, pointed: null };

/** How far from the pointer a frame may be that is narrower than its tip. */
const SLACK_PX = 1.5;

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

/** The function in the texture at such a place; −1: none is there. */
export function functionInTexture(texture: SliceTexture, depth: number, weight: number): number {
  const { columns, first, last, firstDepth, func } = texture;
  const column = Math.floor(((weight - first) / (last - first)) * columns);
  const isWithin = column >= 0 && column < columns && depth >= firstDepth;
  return isWithin ? (func[(depth - firstDepth) * columns + column] ?? -1) : -1;
}

/**
 * The filler that holds what a texture shows at such a place, in its row or in one that follows it: the nearest, for where rows lie apart a
 * filler is a little shorter than they are. −1: there are no fillers.
 */
export function fillerAtPlace(slice: VisibleSlice, depth: number, weight: number): number {
  let nearest = -1;
  let nearestBy = Infinity;
  for (let row = 0; row < slice.length; row++) {
    if (slice.node[row]! >= 0 || slice.depth[row]! > depth) continue;
    const first = slice.start[row]!;
    const by = Math.max(first - weight, weight - first - slice.total[row]!, 0);
    if (by < nearestBy) [nearest, nearestBy] = [row, by];
  }
  return nearest;
}
