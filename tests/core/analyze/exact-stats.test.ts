import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactFunctionStats, sumsAreExact } from '#core/analyze/tables/exact-stats.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { functionNamed, profileFromSketch, sketches } from '../../support/sketch-profile.ts';

test('sums exactly beyond 2^53', () => {
  fc.assert(
    fc.property(sketches, fc.array(fc.maxSafeInteger(), { minLength: 30, maxLength: 30 }), (generated, weights) => {
      const samples = generated.map((sample, index) => ({ ...sample, weight: weights[index]! }));
      const profile = profileFromSketch([...samples, { stack: ['a'], weight: 1 }]);
      const stats = exactFunctionStats(profile, wholeProfile(profile, 1 as ValueTypeIndex), null);
      const sum = (kept: typeof samples): bigint => kept.reduce((total, { weight }) => total + BigInt(weight), 0n);
      expect(stats.total).toBe(sum(samples) + 1n);
      expect(stats.byFunction.get(functionNamed(profile, 'a'))).toEqual({
        self: sum(samples.filter(({ stack }) => stack.at(-1) === 'a')) + 1n,
        total: sum(samples.filter(({ stack }) => stack.includes('a'))) + 1n,
      });
    }),
  );
});

test('sums exactly what a time range takes of samples that cover a time', () => {
  const weight = Number.MAX_SAFE_INTEGER - 1;
  const sketched = profileFromSketch([0, 1, 2, 3].map((time) => ({ stack: ['a'], weight, time })));
  const samples = { ...sketched.samples, duration: Float64Array.of(0, 0, 0, 2) };
  const profile = { ...sketched, samples };
  const selection = { ...wholeProfile(profile, 1 as ValueTypeIndex), timeRange: { start: 0, end: 3 } };
  expect(exactFunctionStats(profile, selection, null).total).toBe((BigInt(weight) * 7n) / 2n);
});

test.each([
  [[2 ** 52, 2 ** 52 - 1], true],
  [[2 ** 52, 2 ** 52], false],
  [[2 ** 53 - 1, -1], false],
  [[2 ** 60, 0.5], true],
  [[], true],
])('%j: exact %s', (weights, expected) => {
  expect(sumsAreExact(Float64Array.from(weights))).toBe(expected);
});
