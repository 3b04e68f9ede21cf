import { describe, expect, test } from 'vitest';
import { chosenColumns, withColumn } from '../../../../renderer/ui/table/grid/column-widths.ts';
import { keepRows, moduleRows } from '../../../../renderer/ui/table/functions/module-list.ts';
import { rowSet, rowsInOrder, selectMode, toggledRow } from '../../../../renderer/ui/table/grid/row-selection.ts';
import type { Column, FunctionTexts } from '../../../../renderer/ui/table/table.types.ts';
import { createTypeAhead } from '../../../../renderer/ui/table/tree/type-ahead.ts';
import { nodesOf } from '../../../../renderer/ui/table/tree/use-selection.ts';

const column = (id: string): Column => ({
  kind: 'number',
  id,
  header: id,
  width: 90,
  minWidth: 56,
  value: () => 0,
  format: String,
});

describe('columns', () => {
  const all = ['function', 'self', 'total', 'module'].map(column);
  const ids = (columns: readonly Column[]) => columns.map(({ id }) => id);

  test('keep the first one first; drop unknown and duplicate ones', () => {
    expect(ids(chosenColumns(all, ['function', 'self'], { columns: null, widths: [] }))).toEqual(['function', 'self']);
    const layout = { columns: ['total', '__proto__', 'total', 'function', 'module'], widths: [] };
    expect(ids(chosenColumns(all, [], layout))).toEqual(['function', 'total', 'module']);
  });

  test('can be shown, hidden and moved', () => {
    expect(withColumn(['function', 'self'], 'total', 'show')).toEqual(['function', 'self', 'total']);
    expect(withColumn(['function', 'self', 'total'], 'self', 'hide')).toEqual(['function', 'total']);
    expect(withColumn(['function', 'self', 'total'], 'total', -1)).toEqual(['function', 'total', 'self']);
    expect(withColumn(['function', 'self', 'total'], 'self', -1)).toEqual(['function', 'self', 'total']);
    expect(withColumn(['function', 'self', 'total'], 'self', 1)).toEqual(['function', 'total', 'self']);
    expect(withColumn(['function', 'self'], 'function', 1)).toEqual(['function', 'self']);
  });
});

describe('selected rows', () => {
  const press = (keys: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey', boolean>>) =>
    selectMode({ shiftKey: false, ctrlKey: false, metaKey: false, ...keys });

  test('depend on the mode', () => {
    expect(press({})).toBe('one');
    expect(press({ shiftKey: true })).toBe('range');
    expect(press({ ctrlKey: true })).toBe('toggle');
    expect(press({ metaKey: true })).toBe('toggle');
  });

  test('are counted once; rows that are not loaded do not count', () => {
    const set = rowSet(5, [3, 1, 3, -1]);
    expect(set.count).toBe(2);
    expect([...nodesOf(set)]).toEqual([1, 3]);
    expect([...rowsInOrder(Int32Array.of(4, 3, 2, 1, 0), set)]).toEqual([3, 1]);
    expect(toggledRow(5, set, null, 1).count).toBe(1);
    expect([...nodesOf(toggledRow(5, null, 2, 4))]).toEqual([2, 4]);
    expect(toggledRow(5, null, 2, 2).count).toBe(0);
  });
});

describe('modules', () => {
  const modules = ['/bin/a', '', '/lib/b', '/bin/a'];
  const texts: FunctionTexts = {
    name: (func) => `f${func}`,
    module: (func) => modules[func]!,
    moduleId: (func) => modules.indexOf(modules[func]!),
    source: () => '',
    kind: () => '',
  };
  const stats = {
    length: 4,
    func: Int32Array.of(0, 1, 2, 3),
    self: Float64Array.of(1, 2, 4, 8),
    total: Float64Array.of(15, 2, 4, 8),
  };

  test('are listed heaviest first, by self weight', () => {
    expect(moduleRows(stats, texts).map(({ name, functions, self }) => [name, functions, self])).toEqual([
      ['/bin/a', 2, 9],
      ['/lib/b', 1, 4],
      ['', 1, 2],
    ]);
  });

  test('count and weigh hidden ones', () => {
    expect(keepRows(stats, texts, null, [])).toEqual({ kept: null, hiddenCount: 0, hiddenSelf: 0 });
    expect(keepRows(stats, texts, Uint8Array.of(1, 0, 1, 1), ['/lib/b'])).toEqual({
      kept: Uint8Array.of(1, 0, 0, 1),
      hiddenCount: 2,
      hiddenSelf: 6,
    });
  });
});

test('letters typed in succession form one word', () => {
  const { type } = createTypeAhead();
  expect(type('r', 0)).toBe('r');
  expect(type('e', 300)).toBe('re');
  expect(type('x', 2000)).toBe('x');
});
