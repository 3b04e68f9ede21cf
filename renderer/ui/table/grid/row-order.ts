import type { NumberOrder } from './number-order.ts';
import type { Column, SortOrder } from '../table.types.ts';

/**
 * Returns rows 0 … count − 1 sorted by a column, equal ones by row: numbers by value, texts by UTF-16 units, NaN last
 * in both directions.
 */
export function sortedRows(
  rowCount: number,
  column: Column,
  direction: SortOrder['direction'],
  numbers: NumberOrder,
): Int32Array {
  const descending = direction === 'descending';
  const values = numbersOf(column, rowCount);
  if (values !== null) {
    const ties = column.kind === 'number' ? column.ties : undefined;
    return ties === undefined ? numbers.order(values, descending) : orderWithTies(values, descending, ties, numbers);
  }
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

/** Sorts by `ties` first, then by `values`: sorting keeps the order of equal numbers. */
function orderWithTies(
  values: Float64Array,
  descending: boolean,
  ties: Float64Array,
  numbers: NumberOrder,
): Int32Array {
  const first = numbers.order(ties.subarray(0, values.length), true);
  const arranged = new Float64Array(values.length);
  for (let at = 0; at < arranged.length; at++) arranged[at] = values[first[at]!]!;
  return numbers.order(arranged, descending).map((at) => first[at]!);
}

/** Returns the numbers by which a column sorts; null for texts without ranks. */
function numbersOf(column: Column, rowCount: number): Float64Array | null {
  if (column.kind === 'text') return column.ranks?.().subarray(0, rowCount) ?? null;
  if (column.kind !== 'number') return null;
  if (column.values !== undefined) return column.values.subarray(0, rowCount);
  const values = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) values[row] = column.value(row);
  return values;
}

/**
 * Returns the rows whose flag is 1 (others have 0), in the same order. Takes a fifth of the time of `filter` for a
 * million rows.
 */
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

/** Returns the rows of which a filtered column contains the text, ignoring case, in the same order. */
export function filteredRows(order: Int32Array, columns: readonly Column[], filter: string): Int32Array {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return order;
  const texts = columns.flatMap((column) => (column.kind === 'text' && column.filtered ? [column.text] : []));
  return order.filter((row) => texts.some((text) => text(row).toLowerCase().includes(wanted)));
}

/** Returns the order after a click on a column's header: the opposite direction, or the column's natural one first. */
export function nextSort(current: SortOrder, column: Column): SortOrder {
  if (current.column === column.id) {
    return { column: column.id, direction: current.direction === 'ascending' ? 'descending' : 'ascending' };
  }
  return { column: column.id, direction: column.kind === 'number' ? 'descending' : 'ascending' };
}
