import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { contrast, fromHex } from '#core/colour/oklch.ts';
import { HEAT_STEPS, heatRamp, heatStep } from '../../../../renderer/ui/time/heat-colours.ts';
import { movedCursor, spanOf } from '../../../../renderer/ui/time/heat-keys.ts';
import { columnTexts } from '../../../../renderer/features/time/heat-table.tsx';
import type { HeatMap } from '#core/analyze/time/strip.ts';

const lightest = fromHex('#ffffff');

describe('colours', () => {
  test.each(['light', 'dark'] as const)('change lightness in one direction, from near the background (%s)', (theme) => {
    const away = heatRamp(theme).map((colour) => contrast(fromHex(colour), lightest));
    const sorted = away.toSorted((a, b) => (theme === 'light' ? a - b : b - a));
    expect(away).toEqual(sorted);
    expect(new Set(away).size).toBe(HEAT_STEPS);
    const [least, most] = [fromHex(heatRamp(theme)[0]!), fromHex(heatRamp(theme).at(-1)!)];
    expect(contrast(least, most)).toBeGreaterThan(6);
    // Cells with weight are distinguishable from empty ones.
    expect(contrast(least, fromHex(theme === 'light' ? '#eef0f3' : '#0b0e11'))).toBeGreaterThan(1.1);
  });

  test('are proportional to weight', () => {
    expect([heatStep(1, 1000), heatStep(500, 1000), heatStep(1000, 1000)]).toEqual([0, HEAT_STEPS / 2, HEAT_STEPS - 1]);
    expect(heatStep(5, 0)).toBe(HEAT_STEPS - 1);
    expect(heatStep(0.1, 0.3)).toBe(16);
  });
});

describe('the keyboard on the map', () => {
  const size = { columns: 3, rows: 10 };

  test('starts at its first cell; moves sideways by columns, up in time', () => {
    const first = movedCursor('ArrowRight', false, null, size, 4)!;
    expect(first).toEqual({ anchor: 4, cell: 4 });
    expect(movedCursor('ArrowRight', false, first, size, 0)).toEqual({ anchor: 14, cell: 14 });
    expect(movedCursor('ArrowUp', true, first, size, 0)).toEqual({ anchor: 4, cell: 5 });
    expect(movedCursor('ArrowUp', false, { anchor: 9, cell: 9 }, size, 0)).toEqual({ anchor: 10, cell: 10 });
    expect(movedCursor('End', true, first, size, 0)).toEqual({ anchor: 4, cell: 29 });
    expect(movedCursor('Enter', false, first, size, 0)).toBe(undefined);
  });

  test('stops at the edges, keeping its row when moving sideways', () => {
    expect(movedCursor('ArrowRight', false, { anchor: 24, cell: 24 }, size, 0)!.cell).toBe(24);
    expect(movedCursor('ArrowLeft', false, { anchor: 4, cell: 4 }, size, 0)!.cell).toBe(4);
    expect(movedCursor('ArrowDown', false, { anchor: 0, cell: 0 }, size, 0)!.cell).toBe(0);
    expect(movedCursor('PageUp', false, { anchor: 3, cell: 3 }, size, 0)!.cell).toBe(23);
  });

  test('never leaves the map, even if it has shrunk', () => {
    const keys = fc.constantFrom(
      'ArrowUp',
      'ArrowDown',
      'ArrowLeft',
      'ArrowRight',
      'PageUp',
      'PageDown',
      'Home',
      'End',
    );
    fc.assert(
      fc.property(keys, fc.boolean(), fc.nat(200), fc.nat(200), (key, shift, anchor, cell) => {
        const { first, last } = spanOf(movedCursor(key, shift, { anchor, cell }, size, 0)!);
        expect(first >= 0 && last < 30 && first <= last).toBe(true);
      }),
    );
  });
});

test('the map as text: each column with its sums and its heaviest cell', () => {
  const map: HeatMap = {
    valueType: 0 as ValueTypeIndex,
    start: 0,
    end: 20,
    columns: 2,
    rows: 2,
    columnNs: 10,
    whole: { start: 0, end: 19 },
    weight: Float64Array.of(1, 4, 0, 0),
    sampleCount: Float64Array.of(1, 2, 0, 0),
    maxWeight: 4,
  };
  expect(columnTexts(map)).toEqual([
    { range: { start: 0, end: 10 }, samples: 3, weight: 5, busiest: { start: 5, end: 10 } },
    { range: { start: 10, end: 20 }, samples: 0, weight: 0, busiest: null },
  ]);
});
