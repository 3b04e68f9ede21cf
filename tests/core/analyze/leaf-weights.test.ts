import fc from 'fast-check';
import { expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { leafWeights } from '#core/analyze/tables/stack-weights.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { functionNamed, profileFromSketch, sketches } from '../../support/sketch-profile.ts';

const sample = (stack: string, weight: number) => ({ stack: stack.split(';'), weight });

test('weighs functions by the stacks that end in them, each once, even with recursion', () => {
  const samples = [sample('main;f;g;f;h', 3), sample('main;f', 2), sample('main;g;h', 5), sample('h', 1)];
  const profile = profileFromSketch(samples);
  const view = buildStackView(profile, { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null });
  const byName = (func: FunctionIndex | null): unknown[] => {
    const { length, func: funcs, weight } = leafWeights(view, func);
    return Array.from({ length }, (_, row) => [profile.strings[profile.functions.name[funcs[row]!]!], weight[row]]);
  };
  expect(byName(functionNamed(profile, 'f'))).toEqual([
    ['h', 3],
    ['f', 2],
  ]);
  expect(byName(null)).toEqual([
    ['h', 9],
    ['f', 2],
  ]);
});

test('sums up to the function’s total', () => {
  fc.assert(
    fc.property(sketches, (samples) => {
      const view = buildStackView(profileFromSketch(samples));
      const stats = functionStats(view);
      for (const [row, func] of stats.func.entries()) {
        const { weight } = leafWeights(view, func as FunctionIndex);
        expect(weight.reduce((sum, one) => sum + one, 0)).toBe(stats.total[row]);
      }
    }),
  );
});
