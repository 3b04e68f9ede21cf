import type { CallNodeIndex } from '../model/brand.ts';
import type { DeltaTree } from './delta-tree.ts';

/**
 * Returns the call path below `root` whose self weight changed the most, in either direction; null if none changed.
 * `width` is the total of each row as it is drawn: rows without width are not considered.
 */
export function largestChange(
  { before, after, end, func }: DeltaTree,
  width: Float64Array,
  root: number,
): CallNodeIndex | null {
  let largest: number | null = null;
  let most = 0;
  for (let node = root; node < end[root]!; node++) {
    const change = Math.abs(after.self[node]! - before.self[node]!);
    if (change <= most || width[node]! <= 0 || func[node]! < 0) continue;
    [largest, most] = [node, change];
  }
  return largest as CallNodeIndex | null;
}
