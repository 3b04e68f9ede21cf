import fc from 'fast-check';
import { expect, test } from 'vitest';
import { functionStats, sampleCounts } from '#core/analyze/tables/function-stats.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { functionNamed, profileFromSketch, sketches } from '../../support/sketch-profile.ts';

test('counts samples with weight, each stack once', () => {
  fc.assert(
    fc.property(sketches, fc.constantFrom('a', 'b', '__proto__'), (generated, name) => {
      const samples = [...generated, { stack: ['a', 'b', '__proto__', 'a'], weight: 7 }];
      const profile = profileFromSketch(samples);
      const view = buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
      const counts = sampleCounts(view);
      expect(counts.func).toEqual(functionStats(view).func);
      const row = counts.func.indexOf(functionNamed(profile, name));
      const counted = samples.filter(({ weight }) => weight !== 0);
      expect(counts.self[row]).toBe(counted.filter(({ stack }) => stack.at(-1) === name).length);
      expect(counts.total[row]).toBe(counted.filter(({ stack }) => stack.includes(name)).length);
    }),
  );
});
