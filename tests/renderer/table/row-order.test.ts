import { describe, expect, test } from 'vitest';
import { filteredRows, nextSort, sortedRows } from '../../../renderer/table/row-order.ts';
import type { NumberColumn, TextColumn } from '../../../renderer/table/table.types.ts';

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

describe('sortedRows', () => {
  test('by number, equal ones by row in both directions', () => {
    const column = numbers([3, 1, 3, 2]);
    expect([...sortedRows(4, column, 'ascending')]).toEqual([1, 3, 0, 2]);
    expect([...sortedRows(4, column, 'descending')]).toEqual([0, 2, 3, 1]);
  });

  test('what is no number comes last', () => {
    expect([...sortedRows(3, numbers([Number.NaN, 1, 2]), 'ascending')]).toEqual([1, 2, 0]);
    expect([...sortedRows(3, numbers([Number.NaN, 1, 2]), 'descending')]).toEqual([2, 1, 0]);
  });

  test('by text', () => {
    const column = texts(['b', '__proto__', 'a', 'b']);
    expect([...sortedRows(4, column, 'ascending')]).toEqual([1, 2, 0, 3]);
    expect([...sortedRows(4, column, 'descending')]).toEqual([0, 3, 2, 1]);
  });

  test('100,000 rows in well under a second', () => {
    const values = Array.from({ length: 100_000 }, (_, row) => (row * 7919) % 100_003);
    const start = performance.now();
    const order = sortedRows(values.length, numbers(values), 'descending');
    sortedRows(values.length, texts(values.map((value) => `package/name.${value}`)), 'ascending');
    expect(performance.now() - start).toBeLessThan(1000);
    expect(order.every((row, at) => at === 0 || values[order[at - 1]!]! >= values[row]!)).toBe(true);
  });
});

describe('filteredRows', () => {
  const columns = [
    texts(['Compile', 'compileAll', 'other']),
    numbers([1, 2, 3]),
    texts(['m', 'm', 'libCompile'], true),
  ];
  const order = Int32Array.from([2, 1, 0]);

  test('keeps the order, whatever the case, in any filtered column', () => {
    expect([...filteredRows(order, columns, ' COMPILEa ')]).toEqual([1]);
    expect([...filteredRows(order, columns, 'compile')]).toEqual([2, 1, 0]);
    expect([...filteredRows(order, columns, '.*')]).toEqual([]);
  });

  test('nothing typed is everything, without a copy', () => {
    expect(filteredRows(order, columns, '  ')).toBe(order);
  });

  test('columns that are not filtered do not count', () => {
    expect([...filteredRows(order, [texts(['x', 'x', 'x'], false)], 'x')]).toEqual([]);
  });
});

describe('nextSort', () => {
  test('numbers begin with the greatest, text with a; again turns around', () => {
    const current = { column: 'n', direction: 'descending' } as const;
    expect(nextSort(current, texts([]))).toEqual({ column: 't', direction: 'ascending' });
    expect(nextSort(current, numbers([]))).toEqual({ column: 'n', direction: 'ascending' });
    expect(nextSort({ column: 't', direction: 'ascending' }, numbers([]))).toEqual(current);
  });
});
