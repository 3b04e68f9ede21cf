import { describe, expect, test } from 'vitest';
import { createFormatter } from '#core/units/format.ts';
import { csvText, percentOf, tsvText } from '../../../../renderer/ui/table/export.ts';
import { tableFormat } from '../../../../renderer/ui/table/format.ts';
import type { FunctionTexts } from '../../../../renderer/ui/table/table.types.ts';
import { treeExport } from '../../../../renderer/ui/table/tree/columns.ts';

const names = ['plain', '=HYPERLINK("x")', 'a,"b"', 'tab\there\nline', '-[NSObject init]', '__proto__'];
const columns = [
  { header: 'Function', cell: (row: number) => names[row]! },
  { header: 'Self (nanoseconds)', cell: (row: number) => 10 ** row / 8 },
];

describe('exported rows', () => {
  test('are tab-separated, one line per row', () => {
    expect(tsvText(columns, [3, 0])).toBe('Function\tSelf (nanoseconds)\ntab here line\t125\nplain\t0.125\n');
  });

  test('contain no formula on the clipboard, and numbers stay numbers', () => {
    const rows = [
      { header: '=unit', cell: (row: number) => names[row]! },
      { header: 'Δ', cell: () => -3.2 },
    ];
    expect(tsvText(rows, [1, 4])).toBe(`'=unit\tΔ\n'=HYPERLINK("x")\t-3.2\n'-[NSObject init]\t-3.2\n`);
  });

  test('as CSV are quoted if necessary, without formulas, with a description in comments', () => {
    expect(csvText(['total: 5 ns\nin all'], columns, [0, 1, 2, 3, 4, 5])).toBe(
      [
        '# total: 5 ns in all',
        'Function,Self (nanoseconds)',
        'plain,0.125',
        `"'=HYPERLINK(""x"")",1.25`,
        '"a,""b""",12.5',
        '"tab\there\nline",125',
        `'-[NSObject init],1250`,
        '__proto__,12500',
        '',
      ].join('\r\n'),
    );
  });

  test('leave shares of nothing empty', () => {
    expect(percentOf(1, 0)).toBe('');
    expect(percentOf(1, 3)).toBe(33.333333);
  });
});

test('the call tree is exported with all its columns', () => {
  const texts: FunctionTexts = {
    name: (func) => names[func]!,
    module: () => '/lib/a.so',
    moduleId: () => 0,
    source: () => 'a.c:7',
    kind: () => 'native',
  };
  const place = (level: number) => ({ level, place: 1, siblings: 1, open: null, hot: false });
  const rows = [
    { position: 0, node: 0, func: -1, self: 0, total: 8, parentTotal: 0, place: place(1) },
    { position: 1, node: 1, func: 0, self: 2, total: 6, parentTotal: 8, place: place(2) },
  ];
  const format = tableFormat('en', createFormatter('en'), 'nanoseconds', 8);
  expect(csvText([], treeExport(rows, { texts, totalWeight: 8, format }), [0, 1]).split('\r\n')).toEqual([
    'Level,Function,Total (nanoseconds),Total %,Of parent %,Self (nanoseconds),Self %,Module,File:line,Kind',
    expect.stringMatching(/^0,.*,8,100,,0,0,,,$/),
    '1,  plain,6,75,75,2,25,/lib/a.so,a.c:7,native',
    '',
  ]);
});
