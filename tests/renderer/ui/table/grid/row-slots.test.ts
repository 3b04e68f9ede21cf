import { describe, expect, test } from 'vitest';
import { slotOrder } from '../../../../../renderer/ui/table/grid/rows.tsx';

describe('slotOrder', () => {
  test('is the order of the rows when scrolling rests', () => {
    expect(slotOrder({ first: 17, count: 6 }, 6, 17)).toEqual([17, 18, 19, 20, 21, 22]);
  });

  test('reuses elements that left above for rows that appear below', () => {
    expect(slotOrder({ first: 2, count: 6 }, 6, 0)).toEqual([6, 7, 2, 3, 4, 5]);
  });

  test('reuses elements that left below for rows that appear above', () => {
    expect(slotOrder({ first: 10, count: 6 }, 6, 12)).toEqual([12, 13, 14, 15, 10, 11]);
  });

  test('never moves an element, however far a table is scrolled', () => {
    const slots = 7;
    for (let first = 0; first < 40; first++) {
      const order = slotOrder({ first, count: slots }, slots, 3);
      expect(order.map((position) => position % slots)).toEqual([3, 4, 5, 6, 0, 1, 2]);
      expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: slots }, (_, at) => first + at));
    }
  });

  test('handles fewer rows than elements', () => {
    expect(slotOrder({ first: 0, count: 3 }, 6, 0)).toEqual([0, 1, 2]);
    expect(slotOrder({ first: 5, count: 3 }, 6, 4)).toEqual([5, 6, 7]);
    expect(slotOrder({ first: 0, count: 0 }, 1, 0)).toEqual([]);
  });
});
