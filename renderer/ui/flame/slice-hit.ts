import type { TextureRun } from './texture-run.ts';
import type { VisibleSlice } from '#core/analyze/view/stack-view.ts';
import type { SliceTexture } from '#core/analyze/graph/flame-slice.ts';
import type { FrameDetail } from './frame-detail.ts';
import { HAIRLINE_PX } from './flame-layout.ts';

/** What a place shows. */
export interface SliceHit {
  /** −1: nothing, or what a filler beyond the slice holds. */
  readonly row: number;
  /** Null: nothing. */
  readonly detail: FrameDetail | null;
}

export const NO_HIT: SliceHit = { row: -1, detail: null };

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

/** What a texture shows at such a place; null: nothing. */
export function runInTexture(texture: SliceTexture, depth: number, weight: number): TextureRun | null {
  const { columns, first, last, firstDepth, depthCount } = texture;
  const weightPerColumn = (last - first) / columns;
  const column = Math.floor((weight - first) / weightPerColumn);
  if (column < 0 || column >= columns || depth < firstDepth || depth >= firstDepth + depthCount) return null;
  const row = texture.func.subarray((depth - firstDepth) * columns, (depth + 1 - firstDepth) * columns);
  const func = row[column]!;
  if (func < 0) return null;
  let [begin, end] = [column, column + 1];
  while (begin > 0 && row[begin - 1] === func) begin -= 1;
  while (end < columns && row[end] === func) end += 1;
  return { func, first: first + begin * weightPerColumn, last: first + end * weightPerColumn };
}

/**
 * The filler that holds what a texture shows at such a place, in its row or in one that follows it: the nearest, for where rows lie apart a
 * filler is a little shorter than they are, by less than the weight `within`. −1: none is there, it is beyond the slice's rows.
 */
export function fillerAtPlace(slice: VisibleSlice, depth: number, weight: number, within: number): number {
  let nearest = -1;
  let nearestBy = within;
  for (let row = 0; row < slice.length; row++) {
    if (slice.node[row]! >= 0 || slice.depth[row]! > depth) continue;
    const first = slice.start[row]!;
    const by = Math.max(first - weight, weight - first - slice.total[row]!, 0);
    if (by < nearestBy) [nearest, nearestBy] = [row, by];
  }
  return nearest;
}
