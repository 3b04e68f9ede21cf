import type { RowTable } from '../view/row-table.ts';
import { childLists, walkRows } from '../tree/row-walk.ts';
import type { WeightedRows } from '../view/weighted-rows.ts';

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

export const moveRows: Readonly<Record<SetKind, MoveRows>> = {
  focus({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const movedCaller = caller < 0 ? TO_HIDDEN : target[caller]!;
      if (movedCaller >= 0) target[row] = table.intern(movedCaller, func[row]!);
      else target[row] = chosen[func[row]!] === 1 ? table.intern(-1, func[row]!) : TO_HIDDEN;
    }
    return target;
  },

  hide({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const movedCaller = caller < 0 ? -1 : target[caller]!;
      const leaves = chosen[func[row]!] === 1 || movedCaller === TO_HIDDEN;
      target[row] = leaves ? TO_HIDDEN : table.append(movedCaller, func[row]!);
    }
    return target;
  },

  'drop-without'({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const holds = chosen[func[row]!] === 1 || (caller >= 0 && target[caller]! >= 0);
      const same = table.append(caller, func[row]!);
      target[row] = holds ? same : TO_HIDDEN;
    }
    return target;
  },

  'focus-self'({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const same = table.append(parent[row]!, func[row]!);
      target[row] = chosen[func[row]!] === 1 ? same : TO_HIDDEN;
    }
    return target;
  },

  merge({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const movedCaller = caller < 0 ? TO_ROOT : target[caller]!;
      target[row] = chosen[func[row]!] === 1 ? movedCaller : table.intern(movedCaller, func[row]!);
    }
    return target;
  },

  show({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const movedCaller = caller < 0 ? TO_HIDDEN : target[caller]!;
      target[row] = chosen[func[row]!] === 1 ? table.intern(Math.max(movedCaller, -1), func[row]!) : movedCaller;
    }
    return target;
  },

  'collapse-recursion': collapseRecursion,

  'collapse-direct-recursion'(rows, chosen, table) {
    return collapseRuns(
      rows,
      Int32Array.from(chosen, (isChosen, func) => (isChosen === 1 ? func : -1)),
      table,
    );
  },

  'collapse-subtree'({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    const isInside = new Uint8Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const movedCaller = caller < 0 ? -1 : target[caller]!;
      const foldsIn = caller >= 0 && isInside[caller] === 1;
      target[row] = foldsIn ? movedCaller : table.intern(movedCaller, func[row]!);
      if (foldsIn || chosen[func[row]!] === 1) isInside[row] = 1;
    }
    return target;
  },
};

/** Replaces functions by `to`. */
export function renameRows({ length, parent, func }: WeightedRows, to: Int32Array, table: RowTable): Int32Array {
  const target = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    target[row] = table.intern(caller < 0 ? -1 : target[caller]!, to[func[row]!]!);
  }
  return target;
}

/** Merges consecutive frames that become the same function by `to` into one frame; −1 leaves a function unchanged. */
export function collapseRuns({ length, parent, func }: WeightedRows, to: Int32Array, table: RowTable): Int32Array {
  const target = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    const movedCaller = caller < 0 ? -1 : target[caller]!;
    const folded = to[func[row]!]!;
    if (folded < 0) target[row] = table.intern(movedCaller, func[row]!);
    else if (movedCaller >= 0 && table.func[movedCaller] === folded) target[row] = movedCaller;
    else target[row] = table.intern(movedCaller, folded);
  }
  return target;
}

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
