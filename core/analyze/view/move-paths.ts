import { moveEach, TO_HIDDEN, TO_ROOT } from './move-rows.ts';
import type { RowTable } from './row-table.ts';
import type { WeightedRows } from './weighted-rows.ts';

/** The functions that match at each place of a call path. */
type FunctionPath = readonly Int32Array[];

/** A transform of one call path. `leaf`: the path is leaf first, as in a bottom-up tree. */
export type PathStep =
  | { readonly kind: 'focus-path' | 'hide-path'; readonly path: FunctionPath; readonly from: 'root' | 'leaf' }
  | { readonly kind: 'merge-path'; readonly path: FunctionPath; readonly from: 'root' };

/** Like `moveRows`. */
export function movePath(rows: WeightedRows, { kind, path, from }: PathStep, table: RowTable): Int32Array {
  if (from === 'leaf') return moveEnds(rows, path, kind === 'focus-path', table);
  const matched = matchFromRoot(rows, path);
  const end = path.length;
  return moveEach(rows, TO_ROOT, (func, caller, row) => {
    const places = matched[row]!;
    if (kind === 'focus-path') return places < end ? TO_HIDDEN : table.intern(places === end ? -1 : caller, func);
    if (kind === 'hide-path') return places >= end ? TO_HIDDEN : table.append(caller, func);
    return places === end ? caller : table.intern(caller, func);
  });
}

/**
 * Returns, for each row, the number of places of the path matched so far; path length + 1 for rows below its end; 0 off
 * the path.
 */
function matchFromRoot({ length, parent, func }: WeightedRows, path: FunctionPath): Int32Array {
  const matched = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    const before = caller < 0 ? 0 : matched[caller]!;
    if (caller >= 0 && before === 0) continue;
    if (before >= path.length) matched[row] = path.length + 1;
    else if (path[before]!.includes(func[row]!)) matched[row] = before + 1;
  }
  return matched;
}

/**
 * Handles the samples that end in the path, read from the leaf: either keeps them and cuts their stacks after the
 * path's last function, or hides them.
 */
function moveEnds(
  { length, parent, func, count }: WeightedRows,
  path: FunctionPath,
  isFocus: boolean,
  table: RowTable,
) {
  const target = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    table.append(parent[row]!, func[row]!);
    target[row] = TO_HIDDEN;
    if (count[row] === 0) continue;
    let end = -1;
    let at = row;
    for (let place = 0; place < path.length && at >= 0 && path[place]!.includes(func[at]!); place++) {
      if (place === path.length - 1) end = at;
      at = parent[at]!;
    }
    if (isFocus) target[row] = end < 0 ? TO_HIDDEN : end;
    else target[row] = end < 0 ? row : TO_HIDDEN;
  }
  return target;
}
