import { describe, expect, test } from 'vitest';
import { designComparison, estimateRow } from '#core/compare/measure/measures.ts';
import {
  digamma,
  trigamma,
  trigammaInverse,
  estimatePrior,
  moderate,
  NO_PRIOR,
  varyTogether,
  type VariancePrior,
} from '#core/compare/statistics/variance-prior.ts';
import { CALM, randomOf, simulateSide, zipf, type Program } from '../simulate.ts';

const close = (found: number, wanted: number): void =>
  expect(Math.abs(found / wanted - 1), `${found} is not ${wanted}`).toBeLessThan(1e-11);

describe('polygamma functions', () => {
  // Source: Abramowitz & Stegun, tables 6.1 and 6.2, and 6.4.2 to 6.4.4.
  test('have published values', () => {
    close(digamma(1), -0.577_215_664_901_532_9);
    close(digamma(0.5), -1.963_510_026_021_423_5);
    close(digamma(10), 2.251_752_589_066_721);
    close(trigamma(1), Math.PI ** 2 / 6);
    close(trigamma(0.5), Math.PI ** 2 / 2);
    close(trigamma(4), Math.PI ** 2 / 6 - 49 / 36);
  });

  test.each([1e-6, 0.01, 0.3, 1, 5, 100, 1e6])('have the inverse of %d', (y) => {
    close(trigamma(trigammaInverse(y)), y);
  });
});

/** Returns the prior of a program with 200 functions; by default five captures a side. */
function priorOf(noise: Partial<Program>, captures = 5): VariancePrior {
  const random = randomOf(5);
  const program = { ...CALM, rates: Array.from({ length: 200 }, (_, row) => 100 + 10 * row), ...noise };
  const [before, after] = [simulateSide(program, captures, random).self, simulateSide(program, captures, random).self];
  const design = designComparison(before.captures, after.captures);
  return estimatePrior(
    design,
    program.rates.map((_, row) => estimateRow(design, before, after, row)),
  );
}

describe('the prior learned from all functions', () => {
  test('is the sampling variance if nothing else varies', () => {
    const { relative, freedom } = priorOf({}).frequent;
    expect(Math.sqrt(relative)).toBeLessThan(0.01);
    expect(freedom).toBeGreaterThan(20);
  });

  test('is sampling plus variation of rates between runs', () => {
    const { relative, freedom } = priorOf({ ownNoise: 0.1 }).frequent;
    expect(Math.sqrt(relative)).toBeGreaterThan(0.09);
    expect(Math.sqrt(relative)).toBeLessThan(0.11);
    expect(freedom).toBeGreaterThan(20);
  });

  test('is weak if functions differ in how much they vary', () => {
    expect(priorOf({ wildNoise: 0.5 }).frequent.freedom).toBeLessThan(10);
  });

  test('is learned for rare functions only from rare ones', () => {
    const rates = Array.from({ length: 200 }, (_, row) => (row < 100 ? 300 : 12));
    const calm = priorOf({ rates });
    const bursty = priorOf({ rates, burst: { size: 10, part: 0.3 } });
    expect(calm.frequent.freedom).toBeGreaterThan(20);
    // Some functions have samples in bursts of ten, which a run with one or two bursts does not show.
    expect(bursty.rare.freedom).toBeLessThan(6);
    expect(bursty.rare.freedom).toBeLessThan(bursty.frequent.freedom);
  });

  test('is empty with too few functions, samples or captures', () => {
    expect(priorOf({ rates: [100, 200, 300, 400] })).toEqual(NO_PRIOR);
    expect(priorOf({ rates: zipf(50, 4) })).toEqual(NO_PRIOR);
    expect(priorOf({}, 2)).toEqual(NO_PRIOR);
  });
});

describe('a moderated variance', () => {
  const design = { groups: [[0, 1, 2, 3, 4]], parts: [1], freedom: 4, meanFactor: 0.2, exposure: 1, isCount: true };
  const side = (between: number, within = 100) => ({
    mean: 100,
    groupMeans: [100],
    between,
    within,
    withinFreedom: 35,
    withinRun: { variance: within, freedom: 35 },
    samples: 500,
  });
  const expectation = { relative: 0.01, freedom: Infinity };
  const sure = { frequent: expectation, rare: { relative: 0, freedom: 0 }, isCommon: false };
  const certain = { ...sure, frequent: { relative: 0, freedom: Infinity } };

  test('is between the captures’ variance and the expected one', () => {
    // The expected variance is 100 + 0.01 × 100².
    expect(moderate(design, side(400), sure)).toEqual({ variance: (12 * 200 + 4 * 400) / 16, freedom: 16 });
    expect(moderate(design, side(400), { ...sure, frequent: { ...expectation, freedom: 4 } })).toEqual({
      variance: 300,
      freedom: 8,
    });
  });

  test('counts six degrees of freedom for three captures', () => {
    const three = { ...design, groups: [[0, 1, 2]], freedom: 2 };
    expect(moderate(three, side(400), sure)).toEqual({ variance: (6 * 200 + 2 * 400) / 8, freedom: 8 });
  });

  test('adds no knowledge about variation that all functions share', () => {
    // Half of the expected 200 is sampling, known with 16 degrees of freedom; the other half has four.
    const { variance, freedom } = moderate(design, side(400), { ...sure, isCommon: true });
    expect(variance).toBe((12 * 200 + 4 * 400) / 16);
    expect(freedom).toBeCloseTo(1 / (0.25 / 16 + 0.25 / 4), 12);
    const whole = (between: number) => ({ before: side(between), after: side(between) });
    expect([varyTogether(whole(300)), varyTogether(whole(301)), varyTogether(whole(Number.NaN))]).toEqual([
      false,
      true,
      false,
    ]);
    // The prior expects no variance at all for this function.
    expect(moderate(design, side(0, 0), { ...certain, isCommon: true })).toEqual({ variance: 0, freedom: 16 });
  });

  test('does not depend on frequent functions for a rare one', () => {
    expect(moderate(design, { ...side(200), samples: 149 }, sure)).toEqual({ variance: 200, freedom: 4 });
  });

  test('is never below the sampling variance', () => {
    expect(moderate(design, side(0), NO_PRIOR)).toEqual({ variance: 100, freedom: 4 });
    expect(moderate(design, side(0), certain)).toEqual({ variance: 100, freedom: 16 });
  });

  test('is the captures’ variance if that is far above the expected one, or sampling is unknown', () => {
    expect(moderate(design, side(601), sure)).toEqual({ variance: 601, freedom: 4 });
    expect(moderate(design, side(400, Number.NaN), sure)).toEqual({ variance: 400, freedom: 4 });
    expect(moderate(design, side(400), NO_PRIOR)).toEqual({ variance: 400, freedom: 4 });
  });
});
