import type { TextureRun } from '../chart/texture-run.ts';
import type { VisibleSlice } from '#core/analyze/view/stack-view.ts';
import type { SliceTexture } from '#core/analyze/graph/flame-slice.ts';
import type { FrameDetail } from '../tooltip/frame-detail.ts';
import { HAIRLINE_PX } from '../chart/layout.ts';

/** What is drawn at a point. */
export interface SliceHit {
  /** −1 if nothing is there, or if the point is in a filler beyond the slice. */
  readonly row: number;
  /** Null if nothing is there. */
  readonly detail: FrameDetail | null;
}

export const NO_HIT: SliceHit = { row: -1, detail: null };

/** Maximum distance between the pointer and a frame narrower than its tip. */
const SLACK_PX = 1.5;

/**
 * Returns the slice row at a depth and a weight from the root's left edge: first a hairline, then the frame that covers
 * the point, then the nearest one within the pointer's tip; −1 if there is none.
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

/** Returns what a texture shows at a depth and weight; null if nothing. */
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
 * Returns the filler to which a texture's point belongs, in its row or in one nearer the root. Takes the nearest within
 * the weight `within`, since a filler can be slightly shorter than the rows inside it if they are apart. −1 if the
 * filler is beyond the slice's rows.
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
