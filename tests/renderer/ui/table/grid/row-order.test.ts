import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NumberOrder } from '../../../../../renderer/ui/table/grid/number-order.ts';
import {
  filteredRows,
  flaggedRows,
  nextSort,
  sortedRows as sortRows,
} from '../../../../../renderer/ui/table/grid/row-order.ts';
import type { Column, NumberColumn, SortOrder, TextColumn } from '../../../../../renderer/ui/table/table.types.ts';

function numbers(values: number[]): NumberColumn {
  return {
    kind: 'number',
    id: 'n',
    header: 'N',
    width: 1,
    minWidth: 1,
    value: (row) => values[row]!,
    format: String,
  };
}

function texts(values: string[], filtered = true): TextColumn {
  return {
    kind: 'text',
    id: 't',
    header: 'T',
    width: 1,
    minWidth: 1,
    mono: true,
    align: 'left',
    filtered,
    text: (row) => values[row]!,
  };
}

const order = new NumberOrder();
const sortedRows = (rowCount: number, column: Column, direction: SortOrder['direction']): Int32Array =>
  sortRows(rowCount, column, direction, order);

describe('sortedRows', () => {
  test('sorts by number, equal ones by row in both directions', () => {
    const column = numbers([3, 1, 3, 2]);
    expect([...sortedRows(4, column, 'ascending')]).toEqual([1, 3, 0, 2]);
    expect([...sortedRows(4, column, 'descending')]).toEqual([0, 2, 3, 1]);
  });

  test('orders rows of equal value by their ties, largest first, in both directions', () => {
    const column = { ...numbers([3, 0, 0, 3, 0]), ties: Float64Array.of(4, 7, 9, 5, 7) };
    expect([...sortedRows(5, column, 'descending')]).toEqual([3, 0, 2, 1, 4]);
    expect([...sortedRows(5, column, 'ascending')]).toEqual([2, 1, 4, 3, 0]);
  });

  test('sorts by numbers in memory', () => {
    const column = { ...numbers([]), values: Float64Array.of(3, 1, 2, 9) };
    expect([...sortedRows(3, column, 'descending')]).toEqual([0, 2, 1]);
  });

  test('puts non-numbers last', () => {
    expect([...sortedRows(3, numbers([Number.NaN, 1, 2]), 'ascending')]).toEqual([1, 2, 0]);
    expect([...sortedRows(3, numbers([Number.NaN, 1, 2]), 'descending')]).toEqual([2, 1, 0]);
  });

  test('sorts any numbers as a comparison sort does', () => {
    const weights = fc.oneof(
      fc.double(),
      fc.integer({ min: -3, max: 3 }),
      fc.nat(2 ** 31),
      fc.constantFrom(0, -0, Number.NaN, 2 ** 53, Number.MIN_VALUE, Number.POSITIVE_INFINITY),
    );
    fc.assert(
      fc.property(fc.array(weights, { maxLength: 60 }), fc.boolean(), (values, descending) => {
        const rows = [...values.keys()].sort((a, b) => {
          const [left, right] = [values[a]!, values[b]!];
          if (Number.isNaN(left) || Number.isNaN(right))
            return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b;
          return (left === right ? 0 : left < right === descending ? 1 : -1) || a - b;
        });
        expect([...order.order(Float64Array.from(values), descending)]).toEqual(rows);
      }),
    );
  });

  test('does not change an order when another one is made', () => {
    const [up, down] = [Float64Array.of(1, 2, 3), Float64Array.of(3, 2, 1)];
    const first = order.order(up, false);
    const second = order.order(down, false);
    expect([...first]).toEqual([0, 1, 2]);
    expect([...second]).toEqual([2, 1, 0]);
  });

  test('sorts by text', () => {
    const column = texts(['b', '__proto__', 'a', 'b']);
    expect([...sortedRows(4, column, 'ascending')]).toEqual([1, 2, 0, 3]);
    expect([...sortedRows(4, column, 'descending')]).toEqual([0, 3, 2, 1]);
    const ranked = { ...column, ranks: () => Float64Array.of(2, 0, 1, 2) };
    expect([...sortedRows(4, ranked, 'ascending')]).toEqual([1, 2, 0, 3]);
    expect([...sortedRows(4, ranked, 'descending')]).toEqual([0, 3, 2, 1]);
  });
});

describe('flaggedRows', () => {
  test('keeps the order, whichever flagged rows it contains', () => {
    expect([...flaggedRows(Int32Array.of(3, 0, 2), Uint8Array.of(1, 1, 0, 1))]).toEqual([3, 0]);
    expect([...flaggedRows(new Int32Array(0), Uint8Array.of(1))]).toEqual([]);
  });
});

describe('filteredRows', () => {
  const columns = [
    texts(['Compile', 'compileAll', 'other']),
    numbers([1, 2, 3]),
    texts(['m', 'm', 'libCompile'], true),
  ];
  const order = Int32Array.from([2, 1, 0]);

  test('keeps the order, ignoring case, in any filtered column', () => {
    expect([...filteredRows(order, columns, ' COMPILEa ')]).toEqual([1]);
    expect([...filteredRows(order, columns, 'compile')]).toEqual([2, 1, 0]);
    expect([...filteredRows(order, columns, '.*')]).toEqual([]);
  });

  test('returns everything for an empty query, without a copy', () => {
    expect(filteredRows(order, columns, '  ')).toBe(order);
  });

  test('ignores columns that are not filtered', () => {
    expect([...filteredRows(order, [texts(['x', 'x', 'x'], false)], 'x')]).toEqual([]);
  });
});

describe('nextSort', () => {
  test('starts with the greatest number, or with a for text; again reverses it', () => {
    const current = { column: 'n', direction: 'descending' } as const;
    expect(nextSort(current, texts([]))).toEqual({ column: 't', direction: 'ascending' });
    expect(nextSort(current, numbers([]))).toEqual({ column: 'n', direction: 'ascending' });
    expect(nextSort({ column: 't', direction: 'ascending' }, numbers([]))).toEqual(current);
  });
});
