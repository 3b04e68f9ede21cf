import { expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { corpusRows } from '../../support/corpus.ts';
import { readCorpusProfile } from '../../support/corpus-profile.ts';
import { corpus, needing } from '../../support/needing.ts';
import { treeFolded, viewFolded } from '../../support/naive-analysis.ts';
import { rollUp } from '../../support/profile-rollup.ts';

const rows = corpusRows('perf-script', 'folded', 'diff-folded', 'pprof');

/** Computes self and total by function index, one stack after the other. */
function naiveStats(profile: Profile, valueType: ValueTypeIndex): Map<number, { self: number; total: number }> {
  const { samples, stacks, frames } = profile;
  const weights = sampleWeights(profile, valueType);
  const stats = new Map<number, { self: number; total: number }>();
  for (let sample = 0; sample < samples.length; sample++) {
    const weight = weights[sample]!;
    if (weight === 0) continue;
    const onStack = new Set<number>();
    for (let row = samples.stack[sample]!; row >= 0; row = stacks.parent[row]!) {
      const func = frames.func[stacks.frame[row]!]!;
      const sums = stats.get(func) ?? { self: 0, total: 0 };
      if (onStack.size === 0) sums.self += weight;
      if (!onStack.has(func)) sums.total += weight;
      onStack.add(func);
      stats.set(func, sums);
    }
  }
  return stats;
}

/** Expects equal weights, with a tolerance for fractions that were added in another order. */
function expectClose(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
  const nonZero = new Map([...expected].filter(([, weight]) => Math.abs(weight) > 1e-9));
  const foundNonZero = [...found].filter(([, weight]) => Math.abs(weight) > 1e-9);
  expect(foundNonZero.length).toBe(nonZero.size);
  for (const [key, weight] of foundNonZero) expect(weight).toBeCloseTo(nonZero.get(key) ?? Number.NaN, 6);
}

needing(corpus, () => {
  test.each(rows.map(({ path }) => path))(
    '%s: view, call tree and function table equal an independent count',
    async (path) => {
      const profile = await readCorpusProfile(path);
      if (profile === null) return;
      for (const valueType of profile.valueTypes.keys() as Iterable<ValueTypeIndex>) {
        const view = buildStackView(profile, wholeProfile(profile, valueType));
        const { folded, sum } = rollUp(profile, valueType);
        expect(view.total).toBeCloseTo(sum, 6);
        expectClose(viewFolded(view), folded);
        expectClose(treeFolded(buildCallTree(view, 'top-down'), view), folded);

        const expected = naiveStats(profile, valueType);
        const stats = functionStats(view);
        expect(stats.length).toBe(expected.size);
        for (let row = 0; row < stats.length; row++) {
          const sums = expected.get(stats.func[row]!)!;
          expect(stats.self[row]).toBeCloseTo(sums.self, 6);
          expect(stats.total[row]).toBeCloseTo(sums.total, 6);
        }
      }
    },
  );
});
