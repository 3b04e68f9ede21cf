import type { SliceRows } from './flame-slice.ts';

/** Returns the row with the path that a row has in an earlier slice of a growing tree; −1 if it is not drawn. */
export function rowOfPath({ slice, func }: SliceRows, before: SliceRows, row: number): number {
  const path: number[] = [];
  for (let at = row; at >= 0; at = before.slice.parent[at]!) path.push(at);
  let found = -1;
  for (const at of path.toReversed()) {
    const caller = found;
    found = slice.node.findIndex(
      (node, other) =>
        node >= 0 &&
        slice.parent[other] === caller &&
        slice.depth[other] === before.slice.depth[at] &&
        func[other] === before.func[at],
    );
    if (found < 0) return -1;
  }
  return found;
}
