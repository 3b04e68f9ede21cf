import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  incompleteBeta,
  logGamma,
  normalTwoSided,
  studentQuantile,
  studentTwoSided,
} from '#core/compare/statistics/student.ts';
import '../../../support/sketch-profile.ts';

const close = (found: number, wanted: number, relative: number): void =>
  expect(Math.abs(found / wanted - 1), `${found} is not ${wanted}`).toBeLessThan(relative);

describe('published values', () => {
  test('gamma and beta', () => {
    close(logGamma(0.5), Math.log(Math.PI) / 2, 1e-14);
    close(logGamma(11), Math.log(3_628_800), 1e-14);
    // Binomial(10, ½): P(X ≥ 8) = 56 / 1024.
    close(incompleteBeta(0.5, 8, 3), 56 / 1024, 1e-13);
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([0, 1]);
  });

  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.1 and .2; the last two from R's pnorm.
  test('normal distribution', () => {
    close(normalTwoSided(1), 0.317_310_507_862_914_1, 1e-13);
    close(normalTwoSided(1.959_963_984_540_054), 0.05, 1e-13);
    close(normalTwoSided(-3), 0.002_699_796_063_260_189, 1e-13);
    close(normalTwoSided(10), 1.523_970_604_832_1e-23, 1e-10);
    expect(normalTwoSided(0)).toBe(1);
  });

  test.each([
    [1, 0.05, 12.706_204_736],
    [2, 0.05, 4.302_652_73],
    [3, 0.05, 3.182_446_305],
    [4, 0.01, 4.604_094_871],
    [5, 0.05, 2.570_581_836],
    [8, 0.001, 5.041_305_433],
    [10, 0.05, 2.228_138_852],
    [30, 0.05, 2.042_272_456],
    [100, 0.01, 2.625_890_521],
    [Infinity, 0.05, 1.959_963_984_540_054],
    [Infinity, 0.01, 2.575_829_303_548_901],
  ])('Student with %d degrees of freedom: %d beyond %d', (freedom, p, t) => {
    close(studentTwoSided(t, freedom), p, 1e-8);
    close(studentQuantile(p, freedom), t, 1e-9);
  });
});

test('equals the closed forms for one and two degrees of freedom', () => {
  for (const t of [1e-6, 0.1, 1, 5, 1e3, 1e6]) {
    close(studentTwoSided(t, 1), (2 / Math.PI) * Math.atan2(1, t), 1e-12);
    // 1 − t ÷ √(2 + t²), written without the difference.
    const root = Math.sqrt(2 + t * t);
    close(studentTwoSided(t, 2), 2 / (root * (root + t)), 1e-12);
  }
});

test('approaches the normal distribution with many degrees of freedom', () => {
  for (const t of [0.1, 2, 6, 30]) {
    const [below, above] = [studentTwoSided(t, 999_999), studentTwoSided(t, 1_000_000)];
    // One more degree of freedom changes it by about t⁴ ÷ 4 × 1e-12.
    close(above, below, 1e-6);
    close(studentTwoSided(t, 1e53), normalTwoSided(t), 1e-12);
  }
  for (const freedom of [1e6, 1e9, 1e53, 1e300]) {
    for (const p of [0.05, 1e-9]) close(studentTwoSided(studentQuantile(p, freedom), freedom), p, 1e-9);
  }
});

test('inverts the tail by the quantile, also far out and for fractional degrees of freedom', () => {
  fc.assert(
    fc.property(fc.double({ min: -60, max: -0.001 }), fc.double({ min: 1, max: 500, noNaN: true }), (log, freedom) => {
      const p = Math.exp(log);
      const t = studentQuantile(p, freedom);
      close(studentTwoSided(t, freedom), p, 1e-9);
      expect(studentTwoSided(t * 1.01, freedom)).toBeLessThan(p);
    }),
  );
  for (const p of [0, -1, 2, Number.NaN]) expect(() => studentQuantile(p, 3)).toThrow(RangeError);
  expect(studentQuantile(1, 3)).toBe(0);
  expect(studentTwoSided(Infinity, 3)).toBe(0);
});
