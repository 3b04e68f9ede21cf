import type { RowTable } from './row-table.ts';
import { childLists, walkRows } from './row-walk.ts';
import type { WeightedRows } from './weighted-rows.ts';

/** Targets of a row's own samples other than a row of the new table. */
export const TO_ROOT = -1;
export const TO_HIDDEN = -2;

/**
 * Transforms of chosen functions, given as 1 per function. A stack matches if it contains any of them; recursion
 * applies to each function separately.
 */
export type SetKind =
  | 'focus'
  | 'hide'
  | 'drop-without'
  | 'focus-self'
  | 'merge'
  | 'show'
  | 'collapse-recursion'
  | 'collapse-direct-recursion'
  | 'collapse-subtree';

/** Fills `table` with the new rows. Returns the target of each row's own samples. */
type MoveRows = (rows: WeightedRows, chosen: Uint8Array, table: RowTable) => Int32Array;

/** Returns the target of each row. `place` gets a row's function and the target of its caller, `root` without one. */
export function moveEach(
  { length, parent, func }: WeightedRows,
  root: number,
  place: (func: number, caller: number, row: number) => number,
): Int32Array {
  const target = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    target[row] = place(func[row]!, caller < 0 ? root : target[caller]!, row);
  }
  return target;
}

export const moveRows: Readonly<Record<SetKind, MoveRows>> = {
  focus: (rows, chosen, table) =>
    moveEach(rows, TO_HIDDEN, (func, caller) => {
      if (caller >= 0) return table.intern(caller, func);
      return chosen[func] === 1 ? table.intern(-1, func) : TO_HIDDEN;
    }),

  hide: (rows, chosen, table) =>
    moveEach(rows, -1, (func, caller) =>
      chosen[func] === 1 || caller === TO_HIDDEN ? TO_HIDDEN : table.append(caller, func),
    ),

  'drop-without': (rows, chosen, table) =>
    moveEach(rows, TO_HIDDEN, (func, caller, row) => {
      const same = table.append(rows.parent[row]!, func);
      return chosen[func] === 1 || caller >= 0 ? same : TO_HIDDEN;
    }),

  'focus-self': (rows, chosen, table) =>
    moveEach(rows, -1, (func, _caller, row) => {
      const same = table.append(rows.parent[row]!, func);
      return chosen[func] === 1 ? same : TO_HIDDEN;
    }),

  merge: (rows, chosen, table) =>
    moveEach(rows, TO_ROOT, (func, caller) => (chosen[func] === 1 ? caller : table.intern(caller, func))),

  show: (rows, chosen, table) =>
    moveEach(rows, TO_HIDDEN, (func, caller) =>
      chosen[func] === 1 ? table.intern(Math.max(caller, -1), func) : caller,
    ),

  'collapse-recursion': collapseRecursion,

  'collapse-direct-recursion': (rows, chosen, table) =>
    collapseRuns(
      rows,
      Int32Array.from(chosen, (isChosen, func) => (isChosen === 1 ? func : -1)),
      table,
    ),

  'collapse-subtree'(rows, chosen, table) {
    const isInside = new Uint8Array(rows.length);
    return moveEach(rows, -1, (func, caller, row) => {
      const foldsIn = isInside[rows.parent[row]!] === 1;
      if (foldsIn || chosen[func] === 1) isInside[row] = 1;
      return foldsIn ? caller : table.intern(caller, func);
    });
  },
};

/** Replaces functions by `to`. */
export const renameRows = (rows: WeightedRows, to: Int32Array, table: RowTable): Int32Array =>
  moveEach(rows, -1, (func, caller) => table.intern(caller, to[func]!));

/** Merges consecutive frames that become the same function by `to` into one frame; −1 leaves a function unchanged. */
export const collapseRuns = (rows: WeightedRows, to: Int32Array, table: RowTable): Int32Array =>
  moveEach(rows, -1, (func, caller) => {
    const folded = to[func]!;
    if (folded < 0) return table.intern(caller, func);
    return caller >= 0 && table.func[caller] === folded ? caller : table.intern(caller, folded);
  });

const IS_FOLDED = -2;

/**
 * Walks depth first from root to leaf. A chosen function that is already on the (collapsed) path returns the path to
 * its row there. A row's changes to the path are undone when the walk leaves the row.
 */
function collapseRecursion(rows: WeightedRows, chosen: Uint8Array, table: RowTable): Int32Array {
  const { length, parent, func } = rows;
  const target = new Int32Array(length);
  /** By new row, from 0. */
  const depth = new Int32Array(length);
  /** New rows of the path by depth. Entries deeper than the current caller are stale. */
  const path = new Int32Array(length).fill(-1);
  /** Latest new row of each function. It is on the path only if `path` contains it. */
  const newest = new Int32Array(chosen.length).fill(-1);
  const earlierOnPath = new Int32Array(length);
  const earlierNewest = new Int32Array(length);
  walkRows(
    rows,
    childLists(rows),
    (row) => {
      const entered = func[row]!;
      const caller = parent[row]! < 0 ? -1 : target[parent[row]!]!;
      const callerDepth = caller < 0 ? -1 : depth[caller]!;
      const earlier = chosen[entered] === 1 ? newest[entered]! : -1;
      if (earlier >= 0 && depth[earlier]! <= callerDepth && path[depth[earlier]!] === earlier) {
        target[row] = earlier;
        earlierOnPath[row] = IS_FOLDED;
        return;
      }
      const moved = table.intern(caller, entered);
      const at = callerDepth + 1;
      target[row] = moved;
      depth[moved] = at;
      earlierOnPath[row] = path[at]!;
      earlierNewest[row] = newest[entered]!;
      path[at] = moved;
      newest[entered] = moved;
    },
    (row) => {
      if (earlierOnPath[row] === IS_FOLDED) return;
      path[depth[target[row]!]!] = earlierOnPath[row]!;
      newest[func[row]!] = earlierNewest[row]!;
    },
  );
  return target;
}
