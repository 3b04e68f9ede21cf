import { describe, expect, test } from 'vitest';
import { fitTable, shortened, type TableColumn } from '#app/cli/output/fit-table.ts';
import { functionTitle } from '#app/cli/output/function-title.ts';

const NAME = 'checkout service under load, after the fix';
const COLUMNS: readonly TableColumn[] = [
  { title: 'ID', cells: ['20261127', '20261128'] },
  { title: 'SIZE', cells: ['1.2 KiB', '9 KiB'], align: 'right', leaves: 2 },
  { title: 'PROGRAM', cells: ['sh', 'checkout --port 80'], leaves: 1 },
  shortened('NAME', [NAME, 'short']),
];

describe('fitTable', () => {
  test('has all columns in full where there is room', () => {
    expect(fitTable(COLUMNS, Infinity)).toEqual([
      'ID           SIZE  PROGRAM             NAME',
      `20261127  1.2 KiB  sh                  ${NAME}`,
      '20261128    9 KiB  checkout --port 80  short',
    ]);
  });

  test('shortens the column that matters most before another one leaves', () => {
    expect(fitTable(COLUMNS, 60)[1]).toBe('20261127  1.2 KiB  sh                  checkout s…er the fix');
  });

  test('leaves out the least important columns, and names them', () => {
    expect(fitTable(COLUMNS, 50)).toEqual([
      'ID           SIZE  NAME',
      '20261127  1.2 KiB  checkout servic…, after the fix',
      '20261128    9 KiB  short',
      'left out: PROGRAM (--json and --csv have all)',
    ]);
    expect(fitTable(COLUMNS, 30).at(-1)).toBe('left out: SIZE, PROGRAM (--json and --csv have all)');
  });

  test.each([30, 40, 60, 80, 120])('no line of a row is wider than %i columns', (width) => {
    const [titles, ...rows] = fitTable(COLUMNS, width).filter((line) => !line.startsWith('left out'));
    for (const line of [titles!, ...rows]) expect(line.length).toBeLessThanOrEqual(width);
  });

  test('takes a name with its own rule', () => {
    const rows = [{ name: 'runtime.mallocgcSmallScanNoHeader', module: '/bin/apiserver' }];
    const shorten = (row: number, width: number) => functionTitle(rows[row]!, width);
    const columns = [
      { title: 'self', cells: ['40 ms'] },
      { title: '', cells: [shorten(0, Infinity)], shorten },
    ];
    expect(fitTable(columns, 40)[1]).toBe('40 ms  mallocgcSm…anNoHeader [apiserver]');
    // The name outlives its module.
    expect(fitTable(columns, 30)[1]).toBe('40 ms  mallocgcSma…canNoHeader');
  });
});
