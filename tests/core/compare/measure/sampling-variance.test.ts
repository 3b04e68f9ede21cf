import { describe, expect, test } from 'vitest';
import {
  FINE_BLOCKS,
  FINE_FREEDOM,
  samplingVariance,
  SuccessiveDifferences,
} from '#core/compare/measure/sampling-variance.ts';
import { normal, poisson, randomOf } from '../simulate.ts';

/** Returns the sampling variance of one sum from its blocks. */
function varianceOf(blocks: readonly number[]): number {
  const differences = new SuccessiveDifferences(1);
  for (const block of blocks) differences.add(Float64Array.of(block));
  return differences.variances()[0]!;
}

const blocks = (count: (block: number) => number): number[] =>
  Array.from({ length: FINE_BLOCKS }, (_, at) => count(at));

describe('successive differences over 64 blocks', () => {
  test('equal the definition, with the four largest replaced by the fifth', () => {
    const counts = blocks((at) => (at * 37) % 11);
    const squares = counts.slice(1).map((count, at) => (count - counts[at]!) ** 2);
    const fifth = squares.toSorted((a, b) => b - a)[4]!;
    const sum = squares.reduce((total, square) => total + Math.min(square, fifth), 0);
    expect(varianceOf(counts)).toBeCloseTo((64 * sum) / (2 * 63), 9);
  });

  test('exclude phases and slow changes', () => {
    expect(varianceOf(blocks((at) => (at < 20 || at > 41 ? 0 : 25)))).toBe(0);
    expect(varianceOf(blocks((at) => at))).toBeLessThan(40);
    expect(varianceOf(blocks(() => 7))).toBe(0);
  });

  test('include bursts', () => {
    // 80 samples in bursts of five.
    expect(varianceOf(blocks((at) => (at % 4 === 0 ? 5 : 0)))).toBeGreaterThan(4 * 80);
  });

  test('keep three quarters of the variance of few bursts, and nine tenths of that of normal differences', () => {
    const random = randomOf(64);
    const meanOf = (count: () => number): number =>
      Array.from({ length: 400 }, () => varianceOf(blocks(count))).reduce((sum, one) => sum + one, 0) / 400;
    // 64 blocks that each vary by 100 × 6 ÷ 64.
    expect(meanOf(() => 10 * poisson(6 / 64, random)) / 600).toBeGreaterThan(0.75);
    expect(meanOf(() => 100 + 3 * normal(random)) / (64 * 9)).toBeCloseTo(0.9, 1);
  });

  test('have 2 (B − 1)² ÷ (3 B − 4) degrees of freedom', () => {
    expect(FINE_FREEDOM).toBeCloseTo((2 * 63 ** 2) / 188, 12);
  });
});

test('is at least that of counts, and at most that of coarse blocks', () => {
  expect(samplingVariance({ count: 10, coarse: 100, fine: 4 })).toBe(10);
  expect(samplingVariance({ count: 10, coarse: 100, fine: 40 })).toBe(40);
  expect(samplingVariance({ count: 10, coarse: 8, fine: 40 })).toBe(8);
  // Without counts, the estimate of the fine blocks applies.
  expect(samplingVariance({ count: 0, coarse: 100, fine: 40 })).toBe(40);
});
