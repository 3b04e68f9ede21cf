import { RowTable } from './row-table.ts';
import type { Transform } from './stack-view.ts';
import { flags } from './selected-weights.ts';
import { spreadToCallers, type WeightedRows } from './weighted-rows.ts';

/** Where a row's own samples go: a row of the new table, or one of these. */
const TO_ROOT = -1;
const TO_HIDDEN = -2;

/** A {@link Transform} of several functions at once: what holds of the function there holds of any of these. */
export interface SetTransform {
  readonly kind: Transform['kind'];
  /** 1 per chosen function. */
  readonly chosen: Uint8Array;
}

export function toSetTransform(transform: Transform | SetTransform, functionCount: number): SetTransform {
  if ('chosen' in transform) return transform;
  return { kind: transform.kind, chosen: flags(functionCount, [transform.func]) };
}

/** Applies one transform. Rows that no sample goes through any more may remain; {@link dropEmptyRows} takes them out. */
export function applyTransform(rows: WeightedRows, transform: SetTransform): WeightedRows {
  const table = new RowTable(rows.length);
  const target = moveRows[transform.kind](rows, transform.chosen, table);
  const keepsRoot = transform.kind !== 'focus';
  const self = new Float64Array(table.length);
  const count = new Int32Array(table.length);
  let withoutStack = keepsRoot ? rows.withoutStack : 0;
  let withoutStackCount = keepsRoot ? rows.withoutStackCount : 0;
  let hidden = rows.hidden + (keepsRoot ? 0 : rows.withoutStack);
  for (let row = 0; row < rows.length; row++) {
    const moved = target[row]!;
    if (moved >= 0) {
      self[moved]! += rows.self[row]!;
      count[moved]! += rows.count[row]!;
    } else if (moved === TO_ROOT) {
      withoutStack += rows.self[row]!;
      withoutStackCount += rows.count[row]!;
    } else {
      hidden += rows.self[row]!;
    }
  }
  return { ...table.finish(), self, count, withoutStack, withoutStackCount, hidden };
}

/** Takes out the rows that no sample goes through. */
export function dropEmptyRows(rows: WeightedRows): WeightedRows {
  const live = Uint8Array.from(rows.count, (count) => (count === 0 ? 0 : 1));
  const length = spreadToCallers(live, rows.parent);
  if (length === rows.length) return rows;
  const kept = new Int32Array(length);
  const moved = new Int32Array(rows.length);
  for (let row = 0, place = 0; row < rows.length; row++) {
    if (live[row] === 0) continue;
    kept[place] = row;
    moved[row] = place;
    place += 1;
  }
  return {
    ...rows,
    length,
    parent: kept.map((row) => (rows.parent[row]! < 0 ? -1 : moved[rows.parent[row]!]!)),
    func: kept.map((row) => rows.func[row]!),
    self: Float64Array.from(kept, (row) => rows.self[row]!),
    count: kept.map((row) => rows.count[row]!),
  };
}

type MoveRows = (rows: WeightedRows, chosen: Uint8Array, table: RowTable) => Int32Array;

const moveRows: Record<Transform['kind'], MoveRows> = {
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

  merge({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const movedCaller = caller < 0 ? TO_ROOT : target[caller]!;
      target[row] = chosen[func[row]!] === 1 ? movedCaller : table.intern(movedCaller, func[row]!);
    }
    return target;
  },

  'collapse-recursion'({ length, parent, func }, chosen, table) {
    const target = new Int32Array(length);
    /** New row of the outermost occurrence at or above each row; −1: none. */
    const outermost = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const caller = parent[row]!;
      const above = caller < 0 ? -1 : outermost[caller]!;
      if (chosen[func[row]!] === 1 && above >= 0) target[row] = above;
      else target[row] = table.intern(caller < 0 ? -1 : target[caller]!, func[row]!);
      outermost[row] = above < 0 && chosen[func[row]!] === 1 ? target[row]! : above;
    }
    return target;
  },
};
