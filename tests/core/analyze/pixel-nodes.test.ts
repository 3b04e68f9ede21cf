import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { narrowNodesAtPixels } from '#core/analyze/tree/pixel-nodes.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { visibleSlice, type SliceWindow } from '#core/analyze/tree/visible-slice.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';
import { at, orderOf, timed } from './timed-samples.ts';

const all = { root: 0, minWidthPx: 8, firstDepth: 0, depthCount: 100 };

function treeOf(samples: readonly SampleSketch[]): CallTree {
  const profile = profileFromSketch(samples);
  return buildCallTree(buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex)), 'top-down');
}

/** Returns the start of each row within the root. */
function startsIn(tree: CallTree, root: number): Float64Array {
  const start = new Float64Array(tree.length);
  const next = new Float64Array(tree.length);
  for (let node = root + 1; node < tree.end[root]!; node++) {
    const parent = tree.parent[node]!;
    start[node] = tree.start === undefined ? next[parent]! : tree.start[node]! - tree.start[root]!;
    next[parent] = start[node]! + tree.total[node]!;
    next[node] = start[node]!;
  }
  return start;
}

/** Finds the result by looking at every row for every column. */
function naive(tree: CallTree, window: SliceWindow, columns: number): number[] {
  const { root, firstDepth, depthCount, firstWeight = 0, lastWeight = tree.total[root]! } = window;
  const start = startsIn(tree, root);
  const drawn = new Set(visibleSlice(tree, { ...window, firstDepth: 0, depthCount: 1000 }).node);
  const found = Array.from({ length: columns * depthCount }, () => -1);
  for (let column = 0; column < columns; column++) {
    const middle = firstWeight + ((column + 0.5) / columns) * (lastWeight - firstWeight);
    for (let node = root; node < tree.end[root]!; node++) {
      const row = tree.depth[node]! - tree.depth[root]! - firstDepth;
      const isThere = middle >= start[node]! && middle < start[node]! + tree.total[node]!;
      if (isThere && !drawn.has(node) && row >= 0 && row < depthCount) found[row * columns + column] = node;
    }
  }
  return found;
}

/** Returns the nodes at all requested depths. */
function pixels(tree: CallTree, window: SliceWindow, columns: number): number[] {
  const met = narrowNodesAtPixels(tree, window, columns);
  const found = Array.from({ length: columns * window.depthCount }, () => -1);
  met?.node.forEach((node, place) => (found[(met.firstDepth - window.firstDepth) * columns + place] = node));
  return found;
}

const windows = fc.record({
  widthPx: fc.integer({ min: 1, max: 300 }),
  minWidthPx: fc.integer({ min: 0, max: 300 }),
  firstDepth: fc.nat(3),
  depthCount: fc.integer({ min: 1, max: 5 }),
});

describe('narrowNodesAtPixels', () => {
  test('returns narrow rows and their callees at the middle of each column', () => {
    const tree = treeOf([
      { stack: ['a', 'x'], weight: 2 },
      { stack: ['b'], weight: 1 },
      { stack: ['wide'], weight: 17 },
    ]);
    const met = narrowNodesAtPixels(tree, { ...all, widthPx: 40 }, 20);
    expect(met).toMatchObject({ columns: 20, first: 0, last: 20, firstDepth: 1, depthCount: 2 });
    const [a, x, b] = [1, 2, 3];
    expect([...met!.node.subarray(0, 4)]).toEqual([a, a, b, -1]);
    expect([...met!.node.subarray(20, 24)]).toEqual([x, x, -1, -1]);
  });

  test('returns null if nothing is narrow, has weight, or is as wide as a column', () => {
    const tree = treeOf([{ stack: ['a'], weight: 1 }]);
    expect(narrowNodesAtPixels(tree, { ...all, widthPx: 100 }, 100)).toBeNull();
    expect(narrowNodesAtPixels(tree, { ...all, widthPx: 1 }, 0)).toBeNull();
    expect(narrowNodesAtPixels(treeOf([{ stack: ['a'], weight: 0 }]), { ...all, widthPx: 1 }, 1)).toBeNull();
  });

  test('equals a scan of every row, for any root, window and range', () => {
    const part = fc.option(fc.record({ from: fc.integer({ min: 0, max: 7 }), parts: fc.integer({ min: 1, max: 8 }) }));
    fc.assert(
      fc.property(sketches, windows, part, fc.nat(), fc.nat(40), (samples, size, shown, pick, half) => {
        const tree = treeOf(samples);
        const root = pick % tree.length;
        const eighth = tree.total[root]! / 8;
        const last = shown === null ? 0 : Math.min(8, shown.from + shown.parts);
        const weights = shown === null ? {} : { firstWeight: shown.from * eighth, lastWeight: last * eighth };
        const window = { root, ...size, ...weights };
        // The number of columns is odd, so that no row of whole weights begins in the middle of a column.
        expect(pixels(tree, window, 2 * half + 1)).toEqual(naive(tree, window, 2 * half + 1));
      }),
    );
  });

  test('equals such a scan of a tree in time order, with gaps between rows', () => {
    fc.assert(
      fc.property(timed, windows, fc.nat(40), (samples, size, half) => {
        const { tree } = orderOf(profileFromSketch([...samples, at(50, 'a;b', 7)]), { axis: 'time', intervalNs: 3 })!;
        const window = { root: 0, ...size };
        expect(pixels(tree, window, 2 * half + 1)).toEqual(naive(tree, window, 2 * half + 1));
      }),
    );
  });
});
