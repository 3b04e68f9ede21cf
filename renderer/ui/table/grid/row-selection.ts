import { flaggedRows } from './row-order.ts';
import type { RowSet } from '../table.types.ts';

/** How a press or key selects: one row, up to the row (Shift), or the row in addition to others (Ctrl). */
export type SelectMode = 'one' | 'range' | 'toggle';

export function selectMode(event: {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): SelectMode {
  if (event.shiftKey) return 'range';
  return event.ctrlKey || event.metaKey ? 'toggle' : 'one';
}

/** Returns the set of the given rows, out of `rowCount`. */
export function rowSet(rowCount: number, rows: Iterable<number>): RowSet {
  const flags = new Uint8Array(rowCount);
  let count = 0;
  for (const row of rows) {
    if (row < 0 || flags[row] === 1) continue;
    flags[row] = 1;
    count += 1;
  }
  return { flags, count };
}

/** Returns the set with a row added or removed; `alone` is the selected row if there is no set yet. */
export function toggledRow(rowCount: number, set: RowSet | null, alone: number | null, row: number): RowSet {
  const flags = set === null ? rowSet(rowCount, alone === null ? [] : [alone]).flags : set.flags.slice();
  const before = set?.count ?? (alone === null ? 0 : 1);
  flags[row] = 1 - flags[row]!;
  return { flags, count: before + (flags[row] === 1 ? 1 : -1) };
}

/** Returns the rows of a set in the order of `shown`. */
export function rowsInOrder(shown: Int32Array, set: RowSet): Int32Array {
  return flaggedRows(shown, set.flags);
}
