import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangeLabel, tickStep, timeLabel, timeTicks, wallClock } from '../../../../renderer/ui/time/time-label.ts';

describe('timeLabel', () => {
  test.each([
    [0, 1e9, '0 s'],
    [0, 1000, '0 s'],
    [250e6, 50e6, '250 ms'],
    [1.5e6, 1e5, '1.5 ms'],
    [1500, 100, '1.5 µs'],
    [12.34e9, 1e7, '12.34 s'],
    [59.999e9, 1e9, '60 s'],
    [62.5e9, 1e8, '1:02.5'],
    [3723e9, 1e9, '1:02:03'],
    [3723.456e9, 1e6, '1:02:03.456'],
    [3599.9996e9, 1e6, '1:00:00.000'],
    [-1.5e9, 1e8, '−1.5 s'],
    [-90e9, 1e9, '−1:30'],
  ])('%d by %d', (time, step, text) => {
    expect(timeLabel(time, step)).toBe(text);
  });
});

describe('timeTicks', () => {
  const texts = (start: number, end: number, wholeStart = 0, most = 5) =>
    timeTicks({ start, end }, wholeStart, most).map(({ text }) => text);

  test('are round from nanoseconds to days', () => {
    expect(texts(0, 2e9)).toEqual(['0 s', '500 ms', '1.0 s', '1.5 s']);
    expect(texts(0, 10e9)).toEqual(['0 s', '2 s', '4 s', '6 s', '8 s']);
    expect(texts(0, 36_000e9)).toEqual(['0 s', '2:00:00', '4:00:00', '6:00:00', '8:00:00']);
    expect(texts(5e9, 15e9, 5e9)).toEqual(['0 s', '2 s', '4 s', '6 s', '8 s']);
    expect(texts(3.1e6, 3.2e6)).toEqual(['3.10 ms', '3.12 ms', '3.14 ms', '3.16 ms', '3.18 ms']);
    expect(texts(0, 10 * 86_400e9)).toHaveLength(5);
  });

  test('lie in the window, differ, and do not exceed the requested number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e14 }),
        fc.integer({ min: 1000, max: 1e14 }),
        fc.integer({ min: 1, max: 20 }),
        (start, length, most) => {
          const ticks = timeTicks({ start, end: start + length }, 0, most);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          for (const { at } of ticks) expect(at >= start && at < start + length).toBe(true);
          expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
        },
      ),
    );
  });

  test('steps are never too small', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e16, noNaN: true }), (least) => {
        const step = tickStep(least);
        expect(step >= least * (1 - 1e-12) && step <= least * 10).toBe(true);
      }),
    );
  });
});

test('the precision of a range’s ends depends on its length', () => {
  expect(rangeLabel({ start: 7e9, end: 9.5e9 }, 5e9)).toBe('2.00 s – 4.50 s');
  expect(rangeLabel({ start: 65e9, end: 95e9 }, 5e9)).toBe('1:00.0 – 1:30.0');
});

test('returns the time of day only if the profile knows it', () => {
  expect(wallClock({ startTime: null }, 5)).toBe(null);
  const noon = BigInt(new Date(2026, 10, 21, 12, 0, 0).getTime()) * 1_000_000n;
  expect(wallClock({ startTime: noon }, 1.5e9)).toMatch(/12:00:01\.500$/);
  expect(wallClock({ startTime: 2n ** 63n }, 0)).not.toBe(null);
  expect(wallClock({ startTime: 2n ** 80n }, 0)).toBe(null);
});
