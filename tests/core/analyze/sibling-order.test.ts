import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import { heaviestFirst } from '#core/analyze/tree/sibling-order.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

function weighed(samples: readonly SampleSketch[]): StackView {
  const profile = profileFromSketch(samples);
  return buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
}

const pathOf = (tree: CallTree, node: number): string =>
  node === 0 ? '' : `${pathOf(tree, tree.parent[node]!)}/${tree.func[node]}`;

/** Lists the rows by path with their weights, whatever their order. */
const rowsOf = (tree: CallTree): string[] =>
  Array.from(tree.func, (_, node) =>
    [pathOf(tree, node), tree.depth[node], tree.self[node], tree.total[node], tree.end[node]! - node].join(' '),
  ).toSorted();

/** Returns the rows in order, sorted by the definition at each node. */
function naiveOrder(tree: CallTree, node = 0): number[] {
  const children: number[] = [];
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) children.push(child);
  const sorted = children.toSorted((a, b) => tree.total[b]! - tree.total[a]! || a - b);
  return [node, ...sorted.flatMap((child) => naiveOrder(tree, child))];
}

/** Makes a root with `children` children that have few distinct weights, in no order. */
function wideTree(children: number): CallTree {
  const length = children + 1;
  const weight = (node: number): number => (node === 0 ? 0 : (Math.imul(node, 2_654_435_761) >>> 0) % 1000);
  const total = Float64Array.from({ length }, (_, node) => weight(node));
  const self = total.slice();
  total[0] = total.reduce((sum, one) => sum + one, 0);
  return {
    length,
    direction: 'top-down',
    func: Int32Array.from({ length }, (_, node) => node - 1),
    parent: new Int32Array(length).fill(-1, 0, 1),
    depth: new Int32Array(length).fill(1, 1),
    end: Int32Array.from({ length }, (_, node) => (node === 0 ? length : node + 1)),
    self,
    total,
    cutDepth: null,
  };
}

/** Makes a path of rows. Each has a sibling leaf that is heavier than everything below it and comes after it. */
function combTree(depth: number): CallTree {
  const length = 2 * depth + 1;
  const tree = {
    func: new Int32Array(length),
    parent: new Int32Array(length),
    depth: new Int32Array(length),
    end: new Int32Array(length),
    self: new Float64Array(length),
    total: new Float64Array(length),
  };
  tree.parent[0] = -1;
  for (let level = 0; level <= depth; level++) {
    tree.depth[level] = level;
    tree.end[level] = length - level;
    tree.total[level] = 2 ** 20 - level * 2;
    if (level > 0) tree.parent[level] = level - 1;
  }
  for (let level = 1; level <= depth; level++) {
    const tooth = length - level;
    tree.parent[tooth] = level - 1;
    tree.depth[tooth] = level;
    tree.end[tooth] = tooth + 1;
    tree.total[tooth] = 2 ** 21;
  }
  return { ...tree, length, direction: 'top-down', cutDepth: null };
}

describe('heaviestFirst', () => {
  test('puts heavy siblings first and equal ones by name', () => {
    const samples = [
      { stack: ['main', 'a'], weight: 1 },
      { stack: ['main', 'd'], weight: 4 },
      { stack: ['main', 'c'], weight: 2 },
      { stack: ['main', 'b', 'x'], weight: 2 },
      { stack: ['zeta'], weight: 20 },
    ];
    const view = weighed(samples);
    const names = (tree: CallTree) => Array.from(tree.func, (func) => functionLabel(view.profile, func));
    const byName = buildCallTree(view, 'top-down');
    expect(names(byName)).toEqual(['all', 'main', 'a', 'b', 'x', 'c', 'd', 'zeta']);
    expect(names(heaviestFirst(byName))).toEqual(['all', 'zeta', 'main', 'd', 'b', 'x', 'c', 'a']);
  });

  test.each(['top-down', 'bottom-up'] as const)(
    'is the same %s tree except for the order, in pre-order',
    (direction) => {
      fc.assert(
        fc.property(sketches, (samples) => {
          const byName = buildCallTree(weighed(samples), direction);
          const before = structuredClone(byName);
          const tree = heaviestFirst(byName);
          expect(byName).toEqual(before);
          expect(rowsOf(tree)).toEqual(rowsOf(byName));
          const order = naiveOrder(byName);
          expect([...tree.func]).toEqual(order.map((node) => byName.func[node]));
          expect([...tree.total]).toEqual(order.map((node) => byName.total[node]));
          expect([...tree.self]).toEqual(order.map((node) => byName.self[node]));
          for (let node = 1; node < tree.length; node++) {
            const parent = tree.parent[node]!;
            expect(parent).toBeLessThan(node);
            expect(tree.depth[node]).toBe(tree.depth[parent]! + 1);
            expect(tree.end[node]).toBeLessThanOrEqual(tree.end[parent]!);
          }
          expect(tree.end[0]).toBe(tree.length);
          expect(heaviestFirst(tree)).toEqual(tree);
        }),
      );
    },
  );

  test('handles 1,000,000 rows below one node, and 200,000 levels', { timeout: 60_000 }, () => {
    const wide = heaviestFirst(wideTree(1_000_000));
    for (let node = 2; node < wide.length; node++) {
      const [before, after] = [wide.total[node - 1]!, wide.total[node]!];
      if (before < after || (before === after && wide.func[node - 1]! > wide.func[node]!)) {
        throw new Error(`rows ${node - 1} and ${node} are out of order`);
      }
    }
    const deep = heaviestFirst(combTree(200_000));
    expect([deep.depth[1], deep.end[1], deep.depth.at(-1), deep.parent[2]]).toEqual([1, 2, 200_000, 0]);
  });
});
