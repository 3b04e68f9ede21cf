import { describe, expect, test, vi } from 'vitest';
import { falsePositives, NOISES, power, PROGRAMS } from './false-positives.ts';

// Each test takes a second or two of processor time, and longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

// This is a small part of what simulate-grid.ts computes.
describe('comparisons of a program with itself', () => {
  const rates = [PROGRAMS['12 functions, 3,000 samples']!, PROGRAMS['60 functions, 3,000 samples']!];

  test.each(Object.entries(NOISES))('%s: have a verdict in at most 16 of 150', (_, noise) => {
    const found = rates.flatMap((program) =>
      ([3, 5, 10] as const).map((captures) => falsePositives(noise, program, [captures, captures], 25)),
    );
    const sum = found.reduce((total, one) => total + one, 0);
    // 5 % of the comparisons plus three standard errors.
    expect(sum, `n = 3, 5, 10 of each: ${found.join(', ')}`).toBeLessThanOrEqual(16);
  });

  test('have one as rarely if one side has more captures', () => {
    expect(falsePositives({ globalNoise: 0.05 }, rates[1]!, [3, 10], 100)).toBeLessThanOrEqual(9);
  });
});

describe('comparisons of hosts of which one has three times the samples', () => {
  const on = (host: string, scale: number, captures: number) =>
    Array.from({ length: captures }, () => ({ host, scale }));

  // 5 % of the comparisons plus two standard errors.
  test.each([
    [5, 2],
    [3, 2],
    [4, 1],
  ])('have a verdict in at most 9 of 100 with %d captures of one and %d of the other', (small, large) => {
    const noise = { ownNoise: 0.05, hosts: [...on('a', 1, small), ...on('b', 3, large)] };
    const captures = small + large;
    expect(falsePositives(noise, PROGRAMS['12 functions, 3,000 samples']!, [captures, captures], 100)).toBeLessThan(10);
  });
});

describe('+10 % of a function with 5 % of the samples, five captures of 30 s at 499 Hz a side', () => {
  test.each([10, 20, 40, 100])('is found at least 70 times of 100 among %d functions', (functions) => {
    const asked = { functions, samples: 30 * 499, captures: 5, change: 0.1 };
    expect(power({}, asked, 100)).toBeGreaterThanOrEqual(70);
    expect(power({ deviation: 0.7 }, asked, 50)).toBeGreaterThanOrEqual(40);
  });
});
