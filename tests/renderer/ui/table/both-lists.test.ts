import { expect, test } from 'vitest';
import { csvText } from '../../../../renderer/ui/table/export.ts';
import { bothLists, type EdgeList } from '../../../../renderer/ui/table/edges/both-lists.ts';
import type { Column } from '../../../../renderer/ui/table/table.types.ts';

function list(noun: string, names: readonly string[], weights: readonly number[], rows: readonly number[]): EdgeList {
  const shared = { width: 1, minWidth: 1 };
  const columns: Column[] = [
    {
      ...shared,
      kind: 'text',
      id: 'function',
      header: noun,
      mono: true,
      align: 'left',
      filtered: true,
      text: (row) => names[row]!,
      pins: (row) =>
        names[row] === 'read'
          ? [{ id: 'a', number: 3, title: 'Reads twice', colour: 'none', isFaint: false, node: null, func: null }]
          : [],
    },
    {
      ...shared,
      kind: 'number',
      id: 'weight',
      header: 'Weight',
      value: (row) => weights[row]!,
      format: (value) => `${value} ms`,
    },
  ];
  const exported = [
    { header: noun, cell: (row: number) => names[row]! },
    { header: 'Weight (ms)', cell: (row: number) => weights[row]! },
  ];
  return { noun, columns, exported, rows: Int32Array.from(rows) };
}

test('joins callers and callees in their order on screen, with notes, and says which is which', () => {
  const callers = list('Caller', ['main', 'parse'], [1, 9], [1, 0]);
  const { shown, exported } = bothLists(callers, list('Callee', ['(self)', 'read'], [4, 6], [1, 0]));
  const texts = [...shown.rows].map((at) =>
    shown.columns.map((column) => (column.kind === 'number' ? column.format(column.value(at), at) : column.text(at))),
  );
  expect(shown.columns.map(({ header }) => header)).toEqual(['Function', 'Relation', 'Weight']);
  expect(texts).toEqual([
    ['parse', 'caller', '9 ms'],
    ['main', 'caller', '1 ms'],
    ['read', 'callee', '6 ms'],
    ['(self)', 'callee', '4 ms'],
  ]);
  expect([...shown.rows].map((at) => shown.columns[0]!.pins!(at).length)).toEqual([0, 0, 1, 0]);
  expect(csvText([], exported, shown.rows)).toBe(
    'Function,Relation,Weight (ms)\r\nparse,caller,9\r\nmain,caller,1\r\nread,callee,6\r\n(self),callee,4\r\n',
  );
});

test('shows the callees of a root function', () => {
  const { shown } = bothLists(list('Caller', [], [], []), list('Callee', ['read'], [6], [0]));
  expect([...shown.rows]).toEqual([0]);
  const [name] = shown.columns;
  expect(name!.kind === 'number' ? '' : name!.text(0)).toBe('read');
});
