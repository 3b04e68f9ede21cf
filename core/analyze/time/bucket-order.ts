import { functionRanks, rowsByRank } from '../tree/function-ranks.ts';
import { layOutTree, siblingOffsets, subtreeSizes } from '../view/row-walk.ts';
import type { SampleSpans } from './sample-widths.ts';
import type { StackView } from '../view/stack-view.ts';

/**
 * Divides an axis of the given length into `buckets` equal parts and makes the samples that begin in the same part
 * adjacent, ordered by stack (negative rows last). They start where the first of them started; their gaps move to the
 * end. Changes `rows` and `widths` in place.
 */
export function orderWithinBuckets(
  view: StackView,
  rows: Int32Array,
  { start, width, adjoins }: SampleSpans,
  length: number,
  buckets: number,
): void {
  const rank = stackRanks(view);
  const bucketOf = (place: number): number => Math.min(buckets - 1, Math.floor((start[place]! * buckets) / length));
  const keys = new Float64Array(rows.length);
  let gapBefore = false;
  for (let first = 0; first < rows.length;) {
    const bucket = bucketOf(first);
    let stop = first + 1;
    let hasGap = false;
    for (; stop < rows.length && bucketOf(stop) === bucket; stop++) if (adjoins[stop] === 0) hasGap = true;
    if (gapBefore) adjoins[first] = 0;
    sortPlaces(rows, width, rank, keys.subarray(0, stop - first), first);
    for (let place = first + 1; place < stop; place++) {
      start[place] = start[place - 1]! + width[place - 1]!;
      adjoins[place] = 1;
    }
    gapBefore = hasGap;
    first = stop;
  }
}

/**
 * Sorts `keys.length` places from `first` on by rank × count + place, packed into one number so that ties keep their
 * order.
 */
function sortPlaces(rows: Int32Array, width: Float64Array, rank: Int32Array, keys: Float64Array, first: number): void {
  const count = keys.length;
  const [oldRows, oldWidths] = [rows.slice(first, first + count), width.slice(first, first + count)];
  for (let place = 0; place < count; place++) {
    const row = oldRows[place]!;
    keys[place] = (row < 0 ? rank.length + 1 : rank[row]!) * count + place;
  }
  keys.sort();
  for (let place = 0; place < count; place++) {
    const from = keys[place]! % count;
    rows[first + place] = oldRows[from]!;
    width[first + place] = oldWidths[from]!;
  }
}

/** Returns each row's position in a walk that visits callers before callees, and callees by name. */
function stackRanks(view: StackView): Int32Array {
  const { rank, count } = functionRanks(view.profile, view.func);
  const size = subtreeSizes(view);
  const offset = siblingOffsets(view, size, rowsByRank(view.func, rank, count));
  return layOutTree(view, size, offset).nodeOfRow;
}
