import type { Column, SortOrder } from './table.types.ts';

/** Rows 0 … count − 1 in the order of a column; equal ones by row. Numbers by value, text by UTF-16 units; NaN last either way. */
export function sortedRows(rowCount: number, column: Column, direction: SortOrder['direction']): Int32Array {
  const order = new Int32Array(rowCount);
  for (let row = 0; row < rowCount; row++) order[row] = row;
  const sign = direction === 'ascending' ? 1 : -1;
  if (column.kind === 'number') {
    const { values } = column;
    return order.sort((a, b) => sign * (values[a]! - values[b]!) || nanLast(values[a]!, values[b]!) || a - b);
  }
  const texts = Array.from(order, (row) => column.text(row));
  return order.sort((a, b) => {
    const left = texts[a]!;
    const right = texts[b]!;
    if (left === right) return a - b;
    return left < right ? -sign : sign;
  });
}

function nanLast(a: number, b: number): number {
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
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
