import { describe, expect, test } from 'vitest';
import {
  changePoint,
  credible,
  MOST_ENDS_LOOKS,
  nextPlace,
  type Pair,
  type Tested,
} from '#app/cli/bisect/change-point.ts';
import { normal, randomOf } from '../../../core/compare/simulate.ts';

const PLACES = 64;
const STEP = 4;
const MOST_STEPS = 60;

/** Bisects a simulated history as the command does; returns the place that it names, or null. */
function bisect(change: number, at: number, noise: number, seed: number, error = 0.05): number | null {
  const random = randomOf(seed);
  const pairs = (place: number): Pair[] =>
    Array.from({ length: STEP }, () => {
      // Load that both runs of a pair share, and what each has of its own.
      const shared = Math.exp(0.1 * normal(random));
      const run = (factor: number): number => shared * factor * Math.exp(noise * normal(random));
      return { good: run(1), tested: run(place >= at ? 1 + change : 1) };
    });
  const tested: Tested[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const found = changePoint(PLACES, tested);
    if (found === null || !found.isShown) {
      if (step === MOST_ENDS_LOOKS) return null;
      tested.push({ place: PLACES - 1, pairs: pairs(PLACES - 1) });
      continue;
    }
    const [first, last] = credible(found.posterior, 1 - error);
    if (first === last) return first;
    const next = nextPlace(found.posterior, new Set())!;
    tested.push({ place: next, pairs: pairs(next) });
  }
  return null;
}

describe.each([
  [0.05, 0.01],
  [0.05, 0.02],
  [0.05, 0.03],
  [0.1, 0.02],
  [0.1, 0.05],
  [0.3, 0.05],
  [0.3, 0.1],
])('a change of %d with noise of %d per run', (change, noise) => {
  test('is named in at least 95 of 100 simulated histories of 64 commits', () => {
    const random = randomOf(20_261_129);
    let right = 0;
    for (let run = 0; run < 100; run++) {
      const at = Math.floor(random() * PLACES);
      const found = bisect(change, at, noise, 1000 + run);
      if (found === at) right++;
    }
    expect(right).toBeGreaterThanOrEqual(95);
  });
});

test('a history without a change is not bisected, in at least 95 of 100', () => {
  const found = Array.from({ length: 100 }, (_, run) => bisect(0, 0, 0.02, 5000 + run)).filter((one) => one !== null);
  expect(found.length).toBeLessThanOrEqual(5);
});

test('tests where the probability is split, never a commit that can’t be built', () => {
  const posterior = [0.1, 0.2, 0.3, 0.4];
  expect(nextPlace(posterior, new Set())).toBe(2);
  expect(nextPlace(posterior, new Set([2]))).toBe(1);
  expect(nextPlace([0, 0.5, 0.5, 0], new Set([1]))).toBeNull();
  expect(nextPlace([1], new Set())).toBeNull();
  expect(credible(posterior, 0.4)).toEqual([3, 3]);
  expect(credible(posterior, 0.8)).toEqual([1, 3]);
  expect(credible([0.02, 0.97, 0.01], 0.95)).toEqual([1, 1]);
});

test('says nothing below four pairs, and names a clear change exactly', () => {
  const pair = (tested: number): Pair => ({ good: 100, tested });
  expect(changePoint(3, [{ place: 2, pairs: [pair(110), pair(111), pair(109)] }])).toBeNull();
  const found = changePoint(3, [
    { place: 2, pairs: [110, 111, 109, 110].map(pair) },
    { place: 0, pairs: [100, 101, 99, 100].map(pair) },
    { place: 1, pairs: [110, 111, 109, 110].map(pair) },
  ])!;
  // The geometric mean of 110, 111, 109 and 110 over 100.
  expect(found.change).toBeCloseTo((110 * 111 * 109 * 110) ** 0.25 / 100 - 1, 12);
  expect(found.isShown).toBe(true);
  expect(credible(found.posterior, 0.99)).toEqual([1, 1]);
});
