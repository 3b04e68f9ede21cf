import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { buildDeltaTree, type DeltaTree } from '#core/compare/delta-tree.ts';
import { describePath, judgePaths } from '#core/compare/judge-paths.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';
import { captureOf, compareRaw } from './captures.ts';

const sketched = (samples: readonly SampleSketch[]) => captureOf(profileFromSketch(samples), {}, 0 as ValueTypeIndex);

/** Makes samples from counts by path. `noise` adds a few samples to each path. */
const run = (counts: Readonly<Record<string, number>>, noise: number): SampleSketch[] =>
  Object.entries(counts).flatMap(([path, count]) =>
    Array.from({ length: count + noise }, () => ({ stack: path.split(';'), weight: 1 })),
  );

const sides = (before: Record<string, number>, after: Record<string, number>) => {
  const runs = (counts: Record<string, number>) => [0, 3, 1].map((noise) => sketched(run(counts, noise)));
  return compareRaw(runs(before), runs(after));
};

function pathOf({ matched }: Pick<Comparison, 'matched'>, tree: DeltaTree, node: number): string {
  const { name } = functionRef(matched.table, tree.func[node]!);
  return tree.parent[node] === 0 ? name : `${pathOf({ matched }, tree, tree.parent[node]!)};${name}`;
}

describe('call paths', () => {
  const before = { 'main;a;f': 1000, 'main;b;f': 1000, 'main;c': 5000 };
  const after = { 'main;a;f': 2000, 'main;b;f': 1000, 'main;c': 5000 };

  test('are tested at and below functions that are discoveries', async () => {
    const comparison = await sides(before, after);
    const tree = buildDeltaTree(comparison);
    const { tested, judgements, untested } = judgePaths(comparison, tree);
    const verdicts = [...tested].map((node, place) => [pathOf(comparison, tree, node), judgements[place]!.verdict]);
    expect(Object.fromEntries(verdicts)).toMatchObject({ 'main;a': 'grew', 'main;a;f': 'grew', 'main;b;f': 'noise' });
    expect(untested).toBe(0);
    expect(judgePaths(comparison, tree, 1)).toMatchObject({ untested: tested.length - 1 });
  });

  test('are the heaviest of more than a piece of them, wherever they are', async () => {
    const three = (place: number): string => String(place).padStart(3, '0');
    const stacks = Array.from({ length: 200 * 180 }, (_, leaf) => [
      'main',
      'f',
      `x${three(Math.floor(leaf / 180))}`,
      `y${three(leaf % 180)}`,
    ]);
    const light = stacks.map((stack): SampleSketch => ({ stack, weight: 1 }));
    const heavy = [light[0]!, light.at(-1)!].flatMap((sample) => Array.from({ length: 400 }, () => sample));
    const comparison = await compareRaw([sketched(light)], [sketched([...light, ...light, ...heavy])]);
    const tree = buildDeltaTree(comparison);
    const { tested, untested } = judgePaths(comparison, tree, 6);
    expect([...tested].map((node) => pathOf(comparison, tree, node))).toEqual([
      'main',
      'main;f',
      'main;f;x000',
      'main;f;x000;y000',
      'main;f;x199',
      'main;f;x199;y179',
    ]);
    expect(untested).toBe(2 + 200 + 200 * 180 - 6);
  });

  test('are not tested without discoveries', async () => {
    const comparison = await sides(before, before);
    const tree = buildDeltaTree(comparison);
    expect(judgePaths(comparison, tree)).toEqual({ tested: new Int32Array(0), judgements: [], untested: 0 });
    expect(describePath(comparison, tree, 1)).toMatchObject({
      delta: 0,
      verdict: 'not-tested',
      q: null,
      interval: null,
    });
    expect(() => describePath(comparison, tree, tree.length)).toThrow(RangeError);
  });

  test('have the values of the tree, whether tested or pointed at', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, sketches, async (one, other) => {
        const more = Array.from({ length: 12 }, () => ({ stack: ['a', 'b', 'new'], weight: 1 }));
        const comparison = await compareRaw([sketched(one)], [sketched([...other, ...more])]);
        const tree = buildDeltaTree(comparison);
        const { tested, judgements } = judgePaths(comparison, tree);
        expect(tested.length).toBeGreaterThan(0);
        tested.forEach((node, place) => {
          const judged = judgements[place]!;
          expect([judged.before, judged.after]).toEqual([tree.before.total[node], tree.after.total[node]]);
          expect(describePath(comparison, tree, node)).toMatchObject({ p: judged.p, delta: judged.delta });
        });
      }),
    );
  });
});
