import { describe, expect, test } from 'vitest';
import type { VisibleSlice } from '#core/analyze/view/stack-view.ts';
import { visibleSlice } from '#core/analyze/tree/visible-slice.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { HATCH_MIN_PX } from '#core/analyze/graph/flame-slice.ts';
import { findMatch, flameSlice, nodePath, treeSource } from '../../../../core/analyze/graph/tree-source.ts';
import { nameOf, treeOf } from '../../../renderer/ui/flame/tree-of.ts';

const request = {
  root: 0 as CallNodeIndex,
  widthPx: 1000,
  minWidthPx: 2,
  firstDepth: 0,
  depthCount: 50,
  maxFrames: 600,
};

const { profile, tree } = treeOf(`
  main;parse;read 30
  main;parse 10
  main;write;read 20
  main;write 5
  idle 35
`);
const named = (name: string) => Array.from(tree.func.keys()).filter((node) => nameOf(profile, tree, node) === name);

describe('flameSlice', () => {
  test('returns function, self weight and facts of each drawn row', () => {
    const { slice, func, self, functions, rootTotal } = flameSlice(profile, tree, request);
    const rows = Array.from({ length: slice.length }, (_, row) => [
      functions.get(func[row]!)?.name ?? null,
      self[row],
      slice.total[row],
    ]);
    expect(rootTotal).toBe(100);
    expect(rows).toEqual([
      [null, 0, 100],
      ['idle', 35, 35],
      ['main', 0, 65],
      ['parse', 10, 40],
      ['read', 30, 30],
      ['write', 5, 25],
      ['read', 20, 20],
    ]);
  });

  test('stays within the bound by increasing the minimum width, and keeps the total weight', () => {
    const many = treeOf(Array.from({ length: 500 }, (_, row) => `f${row} ${row + 1}`).join('\n'));
    const { slice } = flameSlice(many.profile, many.tree, { ...request, widthPx: 5000, maxFrames: 100 });
    const pxPerWeight = 5000 / many.tree.total[0]!;
    expect(slice.total.filter((total) => total * pxPerWeight >= 1).length).toBeLessThanOrEqual(100);
    expect(slice.total.slice(1).reduce((sum, total) => sum + total, 0)).toBe(many.tree.total[0]);
  });

  test('takes the smallest minimum width within the bound without trying all', () => {
    const many = treeOf(
      Array.from({ length: 900 }, (_, row) => `f${row % 30};g${row % 7};h${row} ${(row % 83) ** 2}`).join('\n'),
    );
    const pxPerWeight = request.widthPx / many.tree.total[0]!;
    const cost = ({ node, total }: VisibleSlice): number =>
      total.reduce((sum, weight, row) => sum + (node[row]! < 0 && weight * pxPerWeight < HATCH_MIN_PX ? 0.25 : 1), 0);
    for (let maxFrames = 20; maxFrames < 900; maxFrames += 45) {
      let minWidthPx = request.minWidthPx;
      while (cost(visibleSlice(many.tree, { ...request, minWidthPx })) > maxFrames) minWidthPx *= 1.25;
      const { slice } = flameSlice(many.profile, many.tree, { ...request, maxFrames });
      expect(slice).toEqual(visibleSlice(many.tree, { ...request, minWidthPx }));
    }
  });

  test('counts fillers too narrow to draw', () => {
    const text = Array.from({ length: 300 }, (_, row) => `f${row} 1000\nf${row};g 1`).join('\n');
    const tree = treeOf(text);
    const rows = (maxFrames: number) =>
      flameSlice(tree.profile, tree.tree, { ...request, widthPx: 3000, maxFrames }).slice.length;
    expect(rows(400)).toBe(601);
    expect(rows(350)).toBeLessThan(350);
  });

  test('uses the tree’s start of a row if it has one', () => {
    const start = Float64Array.from(tree.total, (_, node) => 1000 + node);
    expect(flameSlice(profile, { ...tree, start }, { ...request, root: 3 as CallNodeIndex }).rootStart).toBe(1003);
    expect(flameSlice(profile, tree, { ...request, root: named('write')[0] as CallNodeIndex }).rootStart).toBe(75);
  });

  test('ends even if no width meets the bound', () => {
    expect(flameSlice(profile, tree, { ...request, maxFrames: 0 }).slice.length).toBeGreaterThan(0);
  });

  test('returns the root of an empty profile', () => {
    const empty = treeOf('a 0');
    const source = treeSource(empty.profile, empty.tree);
    expect(source.totalWeight).toBe(0);
    expect(flameSlice(empty.profile, empty.tree, request).slice.node[0]).toBe(0);
  });
});

describe('nodePath', () => {
  test('returns the nodes from the root to the node', () => {
    const [, underWrite] = named('read');
    const path = nodePath(profile, tree, underWrite as CallNodeIndex);
    expect(path.map(({ facts, total }) => [facts?.name ?? null, total])).toEqual([
      [null, 100],
      ['main', 65],
      ['write', 25],
      ['read', 20],
    ]);
  });

  test('handles a stack of 100,000 frames', () => {
    const deep = treeOf(`${Array.from({ length: 100_000 }, (_, depth) => `f${depth % 7}`).join(';')} 1`);
    const leaf = (deep.tree.length - 1) as CallNodeIndex;
    expect(nodePath(deep.profile, deep.tree, leaf)).toHaveLength(100_001);
    expect(treeSource(deep.profile, deep.tree).maxDepth).toBe(100_000);
    const { slice } = flameSlice(deep.profile, deep.tree, { ...request, firstDepth: 99_990 });
    expect(Array.from(slice.depth)).toEqual(Array.from({ length: 11 }, (_, row) => 99_990 + row));
  });
});

describe('findMatch', () => {
  const reads = named('read') as CallNodeIndex[];
  const matches = new Uint8Array(profile.functions.length);
  matches[tree.func[reads[0]!]!] = 1;
  const search = { matches, root: 0 as CallNodeIndex, from: null, step: 1, minTotal: 0 } as const;

  test('moves from match to match in both directions and wraps around', () => {
    const [first, second] = reads;
    expect(findMatch(tree, search)).toBe(first);
    expect(findMatch(tree, { ...search, from: first! })).toBe(second);
    expect(findMatch(tree, { ...search, from: second! })).toBe(first);
    expect(findMatch(tree, { ...search, step: -1 })).toBe(second);
    expect(findMatch(tree, { ...search, from: second!, step: -1 })).toBe(first);
  });

  test('finds a lone match again, prefers heavier matches, and stays below the root', () => {
    const write = named('write')[0] as CallNodeIndex;
    expect(findMatch(tree, { ...search, root: write })).toBe(reads[1]);
    expect(findMatch(tree, { ...search, root: write, from: reads[1]! })).toBe(reads[1]);
    expect(findMatch(tree, { ...search, from: reads[0]!, minTotal: 25 })).toBe(reads[0]);
    expect(findMatch(tree, { ...search, minTotal: 1000 })).toBe(reads[0]);
    expect(findMatch(tree, { ...search, root: named('idle')[0] as CallNodeIndex })).toBeNull();
  });
});
