import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createColumnFormat } from '#core/units/column-format.ts';

const column = (unit: string, largest: number, values: readonly number[]) =>
  values.map(createColumnFormat('en', unit, largest));

test('uses one unit and one number of decimals', () => {
  expect(column('nanoseconds', 12.2e9, [12.2e9, 12e9, 83e6, 1e5, 0])).toEqual([
    '12.200 s',
    '12.000 s',
    '0.083 s',
    '<0.001 s',
    '0 s',
  ]);
  expect(column('milliseconds', 812, [812, 3, 0.001])).toEqual(['812.00 ms', '3.00 ms', '<0.01 ms']);
  expect(column('bytes', 5 * 1024 ** 3, [5 * 1024 ** 3, 256 * 1024])).toEqual(['5.000 GiB', '<0.001 GiB']);
  expect(column('nanoseconds', 820, [820, 3])).toEqual(['820 ns', '3 ns']);
  expect(column('seconds', 100_000, [100_000, 60])).toEqual(['27.778 h', '0.017 h']);
});

test('keeps counts and unknown units below a million exact', () => {
  expect(column('count', 234_567, [234_567, 0.25, 1])).toEqual(['234,567', '0.25', '1']);
  expect(column('count', 10e9, [10e9, 4e6, 1, 0])).toEqual(['10.000 G', '0.004 G', '<0.001 G', '0 G']);
  expect(column('objects', 2e6, [2e6, 1500])).toEqual(['2.000 M objects', '0.002 M objects']);
  expect(column('objects', 3, [3])).toEqual(['3 objects']);
  expect(column('samples', 3, [3])).toEqual(['3 samples']);
});

test('formats negative values', () => {
  expect(column('nanoseconds', 1e9, [-1e9, -1])).toEqual(['-1.000 s', '>-0.001 s']);
});

test('aligns decimal points, whatever the column contains', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('nanoseconds', 'microseconds', 'seconds', 'bytes', 'kilobytes', 'hertz'),
      fc.array(fc.nat(2 ** 40), { minLength: 1 }),
      (unit, values) => {
        const texts = column(unit, Math.max(...values), values).filter((text) => !text.startsWith('0 '));
        const tails = texts.map((text) => text.replace(/^[<\d,]+/, '').replace(/\d/g, '0'));
        expect(new Set(tails).size).toBeLessThanOrEqual(1);
      },
    ),
  );
});
