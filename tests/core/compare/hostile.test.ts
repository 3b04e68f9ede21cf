import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildDeltaTree, widthTree } from '#core/compare/delta-tree.ts';
import { describePath, judgePaths } from '#core/compare/judge-paths.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch, type SampleSketch } from '../../support/sketch-profile.ts';
import { captureOf, compareRaw } from './captures.ts';

/** Weights that no sane profile has: negative, huge, fractional and zero. */
const weights = fc.oneof(
  fc.constantFrom(-5, 0, 0.1, 1e-300, 1e300, 2 ** 53, -(2 ** 60)),
  fc.integer({ min: -1000, max: 1000 }),
);
const samples: fc.Arbitrary<SampleSketch[]> = fc.array(
  fc.record({
    stack: fc.array(fc.constantFrom('__proto__', 'constructor', '', '<b>', 'a\u0000b', 'f', 'g', 'h'), {
      maxLength: 4,
    }),
    weight: weights,
    time: fc.option(fc.integer({ min: 0, max: 1000 })),
  }),
  { maxLength: 30 },
);
const side = fc.array(samples, { minLength: 1, maxLength: 4 });

function expectSound({ before, after, delta, interval, p, q, relative, verdict }: Judgement): void {
  expect([before, after, delta].every(Number.isFinite)).toBe(true);
  if (p === null) expect(['unknown', 'noise']).toContain(verdict);
  else expect(p >= 0 && p <= 1).toBe(true);
  if (q !== null) expect(q >= 0 && q <= 1).toBe(true);
  if (relative !== null) expect(Number.isNaN(relative)).toBe(false);
  if (interval !== null) {
    expect(interval[0] <= delta && delta <= interval[1], `${interval.join(' to ')}, ${delta}`).toBe(true);
    if (verdict === 'grew') expect(interval[0]).toBeGreaterThanOrEqual(0);
    if (verdict === 'shrank') expect(interval[1]).toBeLessThanOrEqual(0);
  }
}

describe('whatever the weights and names', () => {
  test('yields finite numbers', async () => {
    await fc.assert(
      fc.asyncProperty(
        side,
        side,
        fc.constantFrom(0, 1),
        fc.constantFrom('raw', 'share'),
        async (one, other, type, kind) => {
          const captures = (list: readonly SampleSketch[][]) =>
            list.map((sketch) => captureOf(profileFromSketch(sketch), {}, type as ValueTypeIndex));
          const comparison = await compareRaw(captures(one), captures(other), kind).catch((error: unknown) => {
            // Negative weights may outweigh the others.
            expect([kind, String(error)]).toEqual(['share', expect.stringMatching(/add up to (0|-\S+), .*; use raw$/)]);
            expect([...one, ...other].flat().some(({ weight }) => weight < 0)).toBe(true);
            return null;
          });
          if (comparison === null) return;
          for (const judgement of [...comparison.self, ...comparison.total, comparison.whole]) expectSound(judgement);
          const tree = buildDeltaTree(comparison);
          expect(widthTree(tree, 'union').total.every(Number.isFinite)).toBe(true);
          const { tested, judgements } = judgePaths(comparison, tree);
          expect(tested.length).toBe(judgements.length);
          judgements.forEach(expectSound);
          if (tree.length > 1) expectSound(describePath(comparison, tree, 1));
          const { movers } = topMovers(comparison, tree, 5);
          expect(movers.length).toBeLessThanOrEqual(5);
          for (const func of comparison.self.keys()) {
            const advice = comparison.advice('total', func);
            for (const runs of advice === null ? [] : [advice.small.runs, advice.seen?.runs ?? null]) {
              if (runs !== null) expect(runs >= 3 && runs <= 100).toBe(true);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
