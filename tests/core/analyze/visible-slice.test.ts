import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import type { CallTree, VisibleSlice } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { visibleSlice } from '#core/analyze/tree/visible-slice.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { NO_STACK } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

function treeOf(samples: readonly SampleSketch[]) {
  const profile = profileFromSketch(samples);
  const view = buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
  return { profile, tree: buildCallTree(view, 'top-down') };
}

const everything = { root: 0, widthPx: 1000, minWidthPx: 0, firstDepth: 0, depthCount: 100 };

/** Returns the start of each tree row, with children side by side from their parent's left edge. */
function startsOf(tree: CallTree): Float64Array {
  const start = new Float64Array(tree.length);
  const next = new Float64Array(tree.length);
  for (let node = 1; node < tree.length; node++) {
    const parent = tree.parent[node]!;
    start[node] = next[parent]!;
    next[parent]! += tree.total[node]!;
    next[node] = start[node]!;
  }
  return start;
}

const rowsOf = (slice: VisibleSlice): number[] => [...slice.node.keys()];

describe('visibleSlice', () => {
  test('merges narrow siblings into one filler until a wide one follows', () => {
    const { profile, tree } = treeOf([
      { stack: ['a'], weight: 1 },
      { stack: ['b', 'x'], weight: 2 },
      { stack: ['c'], weight: 90 },
      { stack: ['d'], weight: 3 },
      { stack: ['e'], weight: 4 },
    ]);
    const slice = visibleSlice(tree, { ...everything, widthPx: 100, minWidthPx: 5 });
    const rows = rowsOf(slice).map((row) => {
      const node = slice.node[row]!;
      const name = node < 0 ? `(${slice.fillerNodes[row]} more)` : functionLabel(profile, tree.func[node]!);
      return `${name} at ${slice.start[row]} of ${slice.total[row]}`;
    });
    expect(rows).toEqual(['all at 0 of 100', '(3 more) at 0 of 3', 'c at 3 of 90', '(2 more) at 93 of 7']);
    expect(slice.maxDepth).toBe(2);
  });

  test('shows every row if none is too narrow', () => {
    fc.assert(
      fc.property(sketches, (samples) => {
        const { tree } = treeOf(samples);
        const slice = visibleSlice(tree, everything);
        expect([...slice.node]).toEqual([...tree.func.keys()]);
        expect(slice.parent).toEqual(tree.parent);
        expect(slice.total).toEqual(tree.total);
        expect(slice.start).toEqual(startsOf(tree));
        expect(slice.maxDepth).toBe(Math.max(...tree.depth));
      }),
    );
  });

  test('keeps totals for any root, width and window', () => {
    const windows = fc.record({
      pick: fc.nat(),
      widthPx: fc.integer({ min: 1, max: 300 }),
      minWidthPx: fc.integer({ min: 0, max: 20 }),
      firstDepth: fc.nat(4),
      depthCount: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(sketches, windows, (samples, { pick, ...size }) => {
        const { tree } = treeOf(samples);
        const root = pick % tree.length;
        const slice = visibleSlice(tree, { root, ...size });
        const starts = startsOf(tree);
        const children = new Float64Array(slice.length);
        const shown = new Float64Array(slice.length);
        for (const row of rowsOf(slice)) {
          const node = slice.node[row]!;
          const depth = slice.depth[row]!;
          expect(depth).toBeGreaterThanOrEqual(size.firstDepth);
          expect(depth).toBeLessThan(size.firstDepth + size.depthCount);
          expect(slice.parent[row]).toBeLessThan(row);
          if (slice.parent[row]! >= 0) children[slice.parent[row]!]! += slice.total[row]!;
          if (node < 0) {
            expect(slice.fillerNodes[row]).toBeGreaterThan(0);
            continue;
          }
          shown[row] = 1;
          expect(depth).toBe(tree.depth[node]! - tree.depth[root]!);
          expect(slice.start[row]).toBe(starts[node]! - starts[root]!);
          if (node !== root) {
            expect((slice.total[row]! * size.widthPx) / tree.total[root]!).toBeGreaterThanOrEqual(size.minWidthPx);
          }
        }
        const last = size.firstDepth + size.depthCount - 1;
        for (const row of rowsOf(slice)) {
          if (shown[row] === 0 || slice.depth[row] === last) continue;
          expect(children[row]! + tree.self[slice.node[row]!]!).toBe(slice.total[row]);
        }
      }),
    );
  });

  test('returns exactly the rows that overlap a range of the root, with fillers of only those', () => {
    const windows = fc.record({
      from: fc.double({ min: 0, max: 0.9, noNaN: true }),
      share: fc.double({ min: 0.05, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(sketches, windows, fc.integer({ min: 0, max: 40 }), (samples, { from, share }, minWidthPx) => {
        const { tree } = treeOf(samples);
        const firstWeight = from * tree.total[0]!;
        const lastWeight = firstWeight + share * tree.total[0]!;
        const slice = visibleSlice(tree, { ...everything, widthPx: 200, minWidthPx, firstWeight, lastWeight });
        const starts = startsOf(tree);
        const inside = (node: number) =>
          node === 0 || (starts[node]! < lastWeight && starts[node]! + tree.total[node]! > firstWeight);
        const kept = rowsOf(slice).filter((row) => slice.node[row]! >= 0);
        for (const row of kept) {
          const node = slice.node[row]!;
          expect(inside(node)).toBe(true);
          expect([slice.start[row], slice.total[row]]).toEqual([starts[node], tree.total[node]]);
        }
        if (minWidthPx === 0) {
          expect(kept.map((row) => slice.node[row])).toEqual([...tree.func.keys()].filter(inside));
        }
        for (const row of rowsOf(slice).filter((filler) => slice.node[filler]! < 0)) {
          expect(slice.start[row]! < lastWeight && slice.start[row]! + slice.total[row]! > firstWeight).toBe(true);
        }
      }),
    );
  });

  test('returns only the rows of a window deep in a 100,000-frame stack', () => {
    const builder = new ProfileBuilder();
    const frame = builder.frame({ func: builder.function({ name: 'f' }) });
    let stack = NO_STACK;
    for (let depth = 0; depth < 100_000; depth++) stack = builder.stack(stack, frame);
    builder.sample({ stack, thread: builder.thread(1, 1, 't') });
    const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
    const tree = buildCallTree(buildStackView(profile), 'top-down');
    const slice = visibleSlice(tree, { root: 0, widthPx: 800, minWidthPx: 1, firstDepth: 99_990, depthCount: 40 });
    expect(slice.length).toBe(11);
    expect(slice.parent[0]).toBe(-1);
    expect(slice.maxDepth).toBe(100_000);
  });
});
