import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  movedRange,
  pannedWindow,
  rangeBetween,
  resizedRange,
  settledRange,
  shareOf,
  timeAt,
  windowAround,
  zoomedWindow,
} from '../../../../renderer/ui/time/time-scale.ts';

const whole = { start: 0, end: 1e9 };

describe('zooming', () => {
  test('keeps the time under the cursor, and stops at the whole', () => {
    const closer = zoomedWindow(whole, whole, 2.5e8, 0.5)!;
    expect(closer).toEqual({ start: 1.25e8, end: 6.25e8 });
    expect(zoomedWindow(closer, whole, 2.5e8, 4)).toBe(null);
    expect(
      zoomedWindow(closer, whole, 2.5e8, 1e-12)!.end - zoomedWindow(closer, whole, 2.5e8, 1e-12)!.start,
    ).toBeCloseTo(1000);
    expect(zoomedWindow({ start: 0, end: 10 }, { start: 0, end: 10 }, 5, 0.5)).toBe(null);
  });

  test('never leaves the whole', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.double({ min: 0.01, max: 10, noNaN: true }), (left, at, factor) => {
        const window = { start: left * 5e8, end: left * 5e8 + 4e8 };
        const cursor = timeAt(window, at);
        const zoomed = zoomedWindow(window, whole, cursor, factor);
        if (zoomed === null) return;
        expect(zoomed.start >= 0 && zoomed.end <= 1e9 + 1e-6 && zoomed.end > zoomed.start).toBe(true);
        const panned = pannedWindow(zoomed, whole, 0.3);
        expect(panned.end - panned.start).toBeCloseTo(zoomed.end - zoomed.start, 3);
        if (factor < 1) expect(shareOf(zoomed, cursor)).toBeCloseTo(at, 5);
      }),
    );
  });

  test('shows a range completely, a moment with a margin', () => {
    expect(windowAround({ start: 4e8, end: 5e8 }, whole)).toEqual({ start: 3.9e8, end: 5.1e8 });
    expect(windowAround({ start: 0, end: 0 }, whole)).toEqual({ start: 0, end: 1e7 });
    expect(windowAround({ start: 0, end: 9e8 }, whole)).toBe(null);
  });
});

describe('ranges', () => {
  const short = { start: 100, end: 200 };

  test('a first key selects a tenth of the window', () => {
    expect(movedRange(null, short, short, 5)).toEqual({ start: 100, end: 110 });
    expect(resizedRange(null, short, short, 'end', 5)).toEqual({ start: 100, end: 110 });
  });

  test('moves and stays inside', () => {
    expect(movedRange({ start: 110, end: 120 }, short, short, 5)).toEqual({ start: 115, end: 125 });
    expect(movedRange({ start: 185, end: 200 }, short, short, 5)).toEqual({ start: 185, end: 200 });
    expect(movedRange({ start: 102, end: 120 }, short, short, -5)).toEqual({ start: 100, end: 118 });
  });

  test('moves each end up to the other', () => {
    expect(resizedRange({ start: 110, end: 120 }, short, short, 'end', 5)).toEqual({ start: 110, end: 125 });
    expect(resizedRange({ start: 110, end: 112 }, short, short, 'end', -5)).toEqual({ start: 110, end: 110.1 });
    expect(resizedRange({ start: 110, end: 120 }, short, short, 'start', -50)).toEqual({ start: 100, end: 120 });
    expect(resizedRange({ start: 110, end: 120 }, short, short, 'start', 50)).toEqual({ start: 119.9, end: 120 });
  });

  test('takes two ends in any order, clipped to the whole', () => {
    expect(rangeBetween(150, 110, short)).toEqual({ start: 110, end: 150 });
    expect(rangeBetween(-5, 110, short)).toEqual({ start: 100, end: 110 });
    expect(rangeBetween(120, 120, short)).toBe(null);
    expect(rangeBetween(300, 400, short)).toBe(null);
  });

  test('rounds to whole nanoseconds without changing the samples inside', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 999, noNaN: true }),
        fc.double({ min: 0.5, max: 500, noNaN: true }),
        fc.array(fc.integer({ min: 0, max: 999 })),
        (start, length, times) => {
          const range = { start, end: start + length };
          const settled = settledRange(range, { start: 0, end: 1000 });
          expect(Number.isInteger(settled.start) && Number.isInteger(settled.end)).toBe(true);
          if (length < 1 || range.end > 1000) return;
          const inside = ({ start: from, end: to }: typeof range) => times.filter((at) => at >= from && at < to);
          expect(inside(settled)).toEqual(inside(range));
        },
      ),
    );
    expect(settledRange({ start: 0.25, end: 0.75 }, { start: 0.1, end: 3 })).toEqual({ start: 0.25, end: 0.75 });
  });
});
