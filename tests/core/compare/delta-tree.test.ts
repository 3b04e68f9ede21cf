import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { buildDeltaTree, widthTree, type DeltaTree } from '#core/compare/delta-tree.ts';
import { DEFAULT_MATCH_RULES } from '#core/compare/match/match-rules.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { readCorpus } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';
import { naiveFolded, sum } from '../../support/naive-analysis.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';
import { captureOf, compareRaw } from './captures.ts';

const sketched = (samples: readonly SampleSketch[]) => captureOf(profileFromSketch(samples), {}, 1 as ValueTypeIndex);

/** Returns [before, after] by path `a;b`, for every row with self weight. */
function folded({ matched }: Comparison, tree: DeltaTree): Map<string, readonly [number, number]> {
  const paths = [''];
  const found = new Map<string, readonly [number, number]>();
  for (let node = 0; node < tree.length; node++) {
    if (node > 0) {
      const { name } = functionRef(matched.table, tree.func[node]!);
      paths[node] = tree.parent[node] === 0 ? name : `${paths[tree.parent[node]!]};${name}`;
    }
    const pair = [tree.before.self[node]!, tree.after.self[node]!] as const;
    if (pair[0] !== 0 || pair[1] !== 0) found.set(paths[node]!, pair);
  }
  return found;
}

/** Checks that rows are in pre-order and siblings in the order of their names, with each function once. */
function expectTree({ length, parent, depth, end, func }: CallTree): void {
  expect(end[0]).toBe(length);
  const seen = new Set<string>();
  for (let node = 1; node < length; node++) {
    const caller = parent[node]!;
    expect(caller).toBeLessThan(node);
    expect(node).toBeLessThan(end[caller]!);
    expect(end[node]).toBeLessThanOrEqual(end[caller]!);
    expect(depth[node]).toBe(depth[caller]! + 1);
    seen.add(`${caller} ${func[node]}`);
  }
  expect(seen.size).toBe(length - 1);
}

describe('whatever the samples', () => {
  test('contains every path of either side in the union, with its weights', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, sketches, async (before, after) => {
        const comparison = await compareRaw([sketched(before)], [sketched(after)]);
        const tree = buildDeltaTree(comparison);
        const [foldedBefore, foldedAfter] = [naiveFolded(before), naiveFolded(after)];
        const wanted = [...new Set([...foldedBefore.keys(), ...foldedAfter.keys()])].map(
          (path) => [path, [foldedBefore.get(path) ?? 0, foldedAfter.get(path) ?? 0]] as const,
        );
        expect(folded(comparison, tree)).toEqual(new Map(wanted));
        expect(tree.before.total[0]).toBe(comparison.before.totals[0]);
        expect(tree.after.total[0]).toBe(comparison.after.totals[0]);
        const union = widthTree(tree, 'union');
        expectTree(union);
        for (let node = 0; node < tree.length; node++) {
          const larger = Math.max(tree.before.total[node]!, tree.after.total[node]!);
          expect(union.total[node]).toBeGreaterThanOrEqual(larger);
        }
        expect(widthTree(tree, 'after').total).toBe(tree.after.total);
      }),
    );
  });

  test("equals a side's own call tree against nothing", async () => {
    await fc.assert(
      fc.asyncProperty(sketches, async (samples) => {
        const comparison = await compareRaw([sketched(samples)], [sketched([])]);
        const tree = widthTree(buildDeltaTree(comparison), 'before');
        const { profile, selection } = sketched(samples);
        const own = buildCallTree(buildStackView(profile, selection), 'top-down');
        expect([tree.depth, tree.end, tree.self, tree.total]).toEqual([own.depth, own.end, own.self, own.total]);
      }),
    );
  });

  test('has the means of sides with several captures', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sketches, { minLength: 1, maxLength: 4 }), sketches, async (before, after) => {
        const comparison = await compareRaw(before.map(sketched), [sketched(after)]);
        const tree = buildDeltaTree(comparison);
        expect(tree.before.total[0]).toBeCloseTo(sum(comparison.before.totals) / before.length, 6);
        expect(tree.before.total[0]).toBeCloseTo(comparison.whole.before, 6);
      }),
    );
  });
});

const readProfile = (path: string): Promise<Profile> =>
  importProfile(byteSource(readCorpus(path), path.slice(path.lastIndexOf('/') + 1)));

const diffs = ['before.txt', 'before_fractionals.txt'].flatMap((name) =>
  ['difffolded', 'inferno-diff'].flatMap((tool) => [
    { name, tool, variant: 'default', off: ['addresses'] },
    { name, tool, variant: 'strip_hex', off: [] },
  ]),
);

needing(corpus, () => {
  describe('parity', () => {
    // inferno reads fractions but writes whole numbers.
    test.each(diffs)('$name: equals $tool, $variant', async ({ name, tool, variant, off }) => {
      const side = async (path: string) => [captureOf(await readProfile(`diff-folded/${path}`))];
      const rules = { ...DEFAULT_MATCH_RULES, off };
      const comparison = await compareRaw(await side(name), await side(`${name}.AFTER`), 'raw', rules);
      const found = folded(comparison, buildDeltaTree(comparison));
      const expected = readCorpus(`diff-folded/expected/${name}.${tool}.${variant}.txt`);
      const lines = new TextDecoder().decode(expected).trim().split('\n');
      expect(found.size).toBe(lines.length);
      for (const line of lines) {
        const [, stack, before, after] = /^(.*) (\S+) (\S+)$/.exec(line)!;
        const [foundBefore, foundAfter] = found.get(stack!)!.map(tool === 'inferno-diff' ? Math.trunc : Number);
        expect(foundBefore).toBeCloseTo(Number(before), 9);
        expect(foundAfter).toBeCloseTo(Number(after), 9);
      }
    });
  });
});
