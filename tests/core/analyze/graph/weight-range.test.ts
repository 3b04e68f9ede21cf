import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fitRange,
  panRange,
  partToDraw,
  rangeOfFiller,
  revealRange,
  zoomRange,
  type WeightRange,
} from '../../../../core/analyze/graph/weight-range.ts';

const WHOLE = { first: 0, last: 1000 };

describe('weight ranges', () => {
  test('keeps the point under the pointer in place when zooming, and stops at the whole', () => {
    expect(zoomRange(WHOLE, 1000, 0.25, 2)).toEqual({ first: 125, last: 625 });
    expect(zoomRange({ first: 125, last: 625 }, 1000, 0.25, 0.5)).toBeNull();
    expect(zoomRange({ first: 0, last: 100 }, 1000, 1, 0.5)).toEqual({ first: 0, last: 200 });
  });

  test('stops panning at the edges', () => {
    expect(panRange({ first: 100, last: 300 }, 1000, 0.5)).toEqual({ first: 200, last: 400 });
    expect(panRange({ first: 100, last: 300 }, 1000, -3)).toEqual({ first: 0, last: 200 });
    expect(panRange(WHOLE, 1000, 0.5)).toBeNull();
  });

  test('stays within the root in any sequence of zooms and pans', () => {
    const step = fc.record({
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      factor: fc.double({ min: 0.2, max: 8, noNaN: true }),
      pan: fc.double({ min: -2, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let range: WeightRange | null = null;
        for (const { share, factor, pan } of steps) {
          range = zoomRange(range ?? WHOLE, 1000, share, factor);
          range = panRange(range ?? WHOLE, 1000, pan);
          const { first, last }: WeightRange = range ?? WHOLE;
          expect(first).toBeGreaterThanOrEqual(0);
          expect(last).toBeLessThanOrEqual(1000 + 1e-9);
          expect(last).toBeGreaterThan(first);
        }
      }),
    );
  });

  test('draws a margin beyond the view, in whole pixels, up to the edge of the root', () => {
    expect(partToDraw(null, 1000, 800)).toEqual({ range: WHOLE, widthPx: 800, leftPx: 0 });
    expect(partToDraw({ first: 0, last: 500 }, 1000, 100)).toEqual({
      range: { first: 0, last: 625 },
      widthPx: 125,
      leftPx: 0,
    });
    const { widthPx, leftPx } = partToDraw({ first: 333.3, last: 777.7 }, 1000, 801);
    expect([widthPx, leftPx].every(Number.isInteger)).toBe(true);
  });

  test('zooms to a filler’s width, or into it if it already fills the view', () => {
    expect(rangeOfFiller({ first: 10, last: 15 }, WHOLE, 1000, 0.5)).toEqual({ first: 10, last: 15 });
    expect(rangeOfFiller({ first: 10, last: 15 }, { first: 10, last: 15 }, 1000, 0)).toEqual({
      first: 10,
      last: 10 + 5 / 24,
    });
    expect(rangeOfFiller({ first: 0, last: 960 }, { first: 0, last: 960 }, 960, 0.5)).toEqual({
      first: 460,
      last: 500,
    });
  });

  test('does not move a range that is already in view', () => {
    const view = { first: 100, last: 200 };
    expect(revealRange(view, 1000, { first: 150, last: 400 })).toBe(view);
    expect(revealRange(view, 1000, { first: 300, last: 310 })).toEqual({ first: 255, last: 355 });
  });

  test('represents the whole as null', () => {
    expect(fitRange({ first: -5, last: 2000 }, 1000)).toBeNull();
    expect(fitRange({ first: 1, last: 1 }, 0)).toBeNull();
  });
});
