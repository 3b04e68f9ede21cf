import { expect, it } from 'vitest';
import { bigUint64Column, int32Column } from '#core/model/intern/column.ts';

it.each([0, 1, 255, 256, 257, 1023, 1024, 65_535, 65_536, 65_537, 200_000])(
  'holds %d integers, and is empty after finish',
  (rows) => {
    const column = int32Column();
    for (let row = 0; row < rows; row++) column.push(row * 3);
    if (rows > 0) {
      column.set(rows - 1, -7);
      expect([column.get(0), column.get(rows - 1)]).toEqual([rows === 1 ? -7 : 0, -7]);
    }
    const expected = Int32Array.from({ length: rows }, (_, row) => (row === rows - 1 ? -7 : row * 3));
    expect(column.finish()).toEqual(expected);
    expect(column.length).toBe(0);
    column.push(5);
    expect(column.finish()).toEqual(Int32Array.of(5));
  },
);

it('holds bigints', () => {
  const column = bigUint64Column();
  for (let row = 0n; row < 300n; row++) column.push(2n ** 64n - 1n - row);
  expect(column.finish()[299]).toBe(2n ** 64n - 300n);
});
