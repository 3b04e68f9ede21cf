import { expect, test } from 'vitest';
import { LiveGaps } from '#app/engine/live/gaps.ts';
import { RateCap } from '#app/engine/live/rate-cap.ts';

test('the rate is lowered after three readings above the bound, one after another', () => {
  const cap = new RateCap(0.5);
  expect([0.6, 0.7, 0.4, 0.6, 0.6, 0.6, 0.6].map((cpus) => cap.isExceeded(cpus))).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
  const unbounded = new RateCap(null);
  expect([9, 9, 9, 9].some((cpus) => unbounded.isExceeded(cpus))).toBe(false);
});

test('gaps between windows are summed, and long ones are told', () => {
  const gaps = new LiveGaps();
  const rows = { stack: new Int32Array(0), time: new Float64Array(0), weight: new Float64Array(0) };
  const add = (start: number, end: number): number | null =>
    gaps.add(rows, { start: BigInt(start * 1e9), end: BigInt(end * 1e9) }, 0n);
  expect([add(0, 2), add(2.25, 4), add(4, 6), add(16, 18)]).toEqual([null, null, null, 10]);
  expect(gaps.seconds).toBeCloseTo(10.25, 6);
  expect(gaps.noted).toEqual([{ start: 6e9, end: 16e9 }]);
  // The newest sample of a sum has the middle of its time.
  gaps.open(17e9);
  expect(add(18.5, 20)).toBe(0.5);
});
