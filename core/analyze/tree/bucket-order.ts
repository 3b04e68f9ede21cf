import { rowsByRank } from './call-tree.ts';
import { functionRanks } from '../tables/function-order.ts';
import { childLists, walkRows } from './row-walk.ts';
import type { SampleSpans } from '../time/sample-widths.ts';
import type { StackView } from '../view/stack-view.ts';

/**
 * Puts the samples that begin in one of `buckets` equal parts of an axis of this length next to one another, by their stacks (negative
 * rows last): from its first one's place on, its gaps at its end. Changes `rows` and `widths` in place.
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

/** Sorts the places from `first` on, as many as `keys` has: rank × count + place as one number each, so that ties stay in order. */
function sortPlaces(rows: Int32Array, width: Float64Array, rank: Int32Array, keys: Float64Array, first: number): void {
  const count = keys.length;
  const [oldRows, oldWidths] = [rows.slice(first, first + count), width.slice(first, first + count)];
  for (let place = 0; place < count; place++) {
    const row = oldRows[place]!;
    keys[place] = (row < 0 ? rank.length : rank[row]!) * count + place;
  }
  keys.sort();
  for (let place = 0; place < count; place++) {
    const from = keys[place]! % count;
    rows[first + place] = oldRows[from]!;
    width[first + place] = oldWidths[from]!;
  }
}

/** Place of each row in a walk that comes to callers before callees, and to these by name. */
function stackRanks(view: StackView): Int32Array {
  const { rank, count } = functionRanks(view.profile, view.func);
  const places = new Int32Array(view.length);
  let next = 0;
  walkRows(
    view,
    childLists(view, rowsByRank(view.func, rank, count)),
    (row) => {
      places[row] = next++;
    },
    () => {},
  );
  return places;
}
