import type { NumberOrder } from './number-order.ts';
import type { Column, SortOrder } from './table.types.ts';

/** Rows 0 … count − 1 in the order of a column; equal ones by row. Numbers by value, text by UTF-16 units; NaN last either way. */
export function sortedRows(
  rowCount: number,
  column: Column,
  direction: SortOrder['direction'],
  numbers: NumberOrder,
): Int32Array {
  const descending = direction === 'descending';
  const values = numbersOf(column, rowCount);
  if (values !== null) return numbers.order(values, descending);
  const sign = descending ? -1 : 1;
  const { text } = column as Exclude<Column, { kind: 'number' }>;
  const texts = Array.from({ length: rowCount }, (_, row) => text(row));
  return Int32Array.from(texts.keys()).sort((a, b) => {
    const left = texts[a]!;
    const right = texts[b]!;
    if (left === right) return a - b;
    return left < right ? -sign : sign;
  });
}

/** What the column sorts by, of each row; null: texts, whose order is not known. */
function numbersOf(column: Column, rowCount: number): Float64Array | null {
  if (column.kind === 'text') return column.ranks?.().subarray(0, rowCount) ?? null;
  if (column.kind !== 'number') return null;
  if (column.values !== undefined) return column.values.subarray(0, rowCount);
  const values = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) values[row] = column.value(row);
  return values;
}

/** The rows whose flag is 1, in the same order; the others' is 0. Of a million rows in a fifth of the time that `filter` takes. */
export function flaggedRows(order: Int32Array, flags: Uint8Array): Int32Array {
  let count = 0;
  for (let place = 0; place < order.length; place++) count += flags[order[place]!]!;
  const rows = new Int32Array(count);
  let at = 0;
  for (let place = 0; place < order.length; place++) {
    const row = order[place]!;
    if (flags[row] === 1) rows[at++] = row;
  }
  return rows;
}

/** The rows of which a filtered column holds the text, whatever its case; in the same order. */
export function filteredRows(order: Int32Array, columns: readonly Column[], filter: string): Int32Array {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return order;
  const texts = columns.flatMap((column) => (column.kind === 'text' && column.filtered ? [column.text] : []));
  return order.filter((row) => texts.some((text) => text(row).toLowerCase().includes(wanted)));
}

/** What a click on a column's header leads to: the other direction, or the useful one first. */
export function nextSort(current: SortOrder, column: Column): SortOrder {
  if (current.column === column.id) {
    return { column: column.id, direction: current.direction === 'ascending' ? 'descending' : 'ascending' };
  }
  return { column: column.id, direction: column.kind === 'number' ? 'descending' : 'ascending' };
}
