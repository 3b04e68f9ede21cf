import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleSlice } from '#core/analyze/tree/visible-slice.ts';
import { NO_STACK, type ValueTypeIndex } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { sum } from '../../../support/naive-analysis.ts';
import { profileFromSketch } from '../../../support/sketch-profile.ts';
import { at, byWeight, orderOf, timed } from '../timed-samples.ts';

describe('a slice of a time-ordered tree', () => {
  test('has every row at its time, from any root', () => {
    fc.assert(
      fc.property(timed, fc.nat(), fc.constantFrom('time' as const, 'weight' as const), (samples, pick, axis) => {
        const profile = profileFromSketch([...samples, at(50, 'a;b', 7)]);
        const { tree } = orderOf(profile, { axis, intervalNs: 3 })!;
        const root = pick % tree.length;
        const slice = visibleSlice(tree, { root, widthPx: 1000, minWidthPx: 0, firstDepth: 0, depthCount: 100 });
        expect([...slice.node]).toEqual([...tree.func.keys()].slice(root, tree.end[root]));
        expect([...slice.start]).toEqual([...slice.node].map((node) => tree.start[node]! - tree.start[root]!));
      }),
    );
  });

  test('puts fillers at most the minimum width from the rows that they hide', () => {
    fc.assert(
      fc.property(timed, fc.integer({ min: 20, max: 400 }), (samples, widthPx) => {
        const profile = profileFromSketch([...samples, at(50, 'a;b', 7)]);
        const { tree } = orderOf(profile, { axis: 'time', intervalNs: 3 })!;
        const window = { root: 0, widthPx, minWidthPx: 10, firstDepth: 0, depthCount: 100 };
        const slice = visibleSlice(tree, window);
        const maxGap = (window.minWidthPx / widthPx) * tree.total[0]!;
        const drawn = new Set(slice.node);
        let row = 0;
        let next = 0;
        for (let node = 0; node < tree.length; node++) {
          if (drawn.has(node)) {
            row = slice.node.indexOf(node);
            next = 0;
            continue;
          }
          if (!drawn.has(tree.parent[node]!)) continue;
          if (next === 0) {
            row += 1;
            next = slice.fillerNodes[row]!;
            expect(slice.start[row]).toBe(tree.start[node]);
          }
          expect(slice.node[row]).toBe(-1);
          expect(tree.start[node]! - slice.start[row]! - slice.total[row]!).toBeLessThanOrEqual(maxGap);
          next -= tree.end[node]! - node;
          node = tree.end[node]! - 1;
        }
        const hidden = sum(slice.fillerNodes);
        expect(hidden + drawn.size - (drawn.has(-1) ? 1 : 0)).toBe(tree.length);
      }),
    );
  });
});

test('handles 1,000,000 samples', { timeout: 60_000 }, () => {
  const builder = new ProfileBuilder();
  const frames = Array.from({ length: 200 }, (_, index) =>
    builder.frame({ func: builder.function({ name: `f${index}` }) }),
  );
  const threads = [1, 2, 3, 4].map((tid) => builder.thread(1, tid, 't'));
  const stacks = Array.from({ length: 5000 }, (_, index) => {
    let stack = NO_STACK;
    for (let depth = 0; depth < 20; depth++) stack = builder.stack(stack, frames[(index * depth + depth) % 200]!);
    return stack;
  });
  for (let sample = 0; sample < 1_000_000; sample++) {
    // Two interleaved recordings, so that the samples are never in order.
    const time = (sample % 2) * 500_000 + sample / 2;
    builder.sample({ stack: stacks[(sample * 7) % 5000]!, thread: threads[sample % 4]!, time });
  }
  const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
  const selection = { ...byWeight, valueType: 0 as ValueTypeIndex };
  const { tree } = orderOf(profile, { axis: 'weight' }, selection)!;
  expect(tree.total[0]).toBe(1_000_000);
  expect(tree.length).toBeLessThanOrEqual(2_000_000);
  expect(tree.cutDepth).not.toBe(null);
});
