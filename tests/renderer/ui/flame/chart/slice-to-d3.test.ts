import { hierarchy, partition } from 'd3-hierarchy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleSlice } from '#core/analyze/tree/visible-slice.ts';
import { sliceToD3, type D3Frame } from '../../../../../renderer/ui/flame/chart/slice-to-d3.ts';
import { treeOf } from '../tree-of.ts';

const window = { root: 0, widthPx: 100, minWidthPx: 1, firstDepth: 0, depthCount: 20 };

/** Returns the tree as d3-flame-graph lays it out: sums of `value`, children side by side from the left. */
function layOut(root: D3Frame) {
  return partition<D3Frame>()(hierarchy(root).sum((frame) => frame.value));
}

describe('sliceToD3', () => {
  test('nests frames, with self weight as value', () => {
    const { tree } = treeOf('a;b;c 3\na;b 2\na;d 4\ne 1');
    const { root, rootDepth, lastDepth } = sliceToD3(
      visibleSlice(tree, window),
      { first: 0, last: 10 },
      window.widthPx,
    );
    expect({ rootDepth, lastDepth }).toEqual({ rootDepth: 0, lastDepth: 3 });
    expect(root).toMatchObject({
      kind: 'frame',
      row: 0,
      value: 0,
      children: [
        { value: 0, children: [{ value: 2, children: [{ value: 3 }] }, { value: 4 }] },
        { value: 1, children: [] },
      ],
    });
  });

  test('clips a part of the root, including frames over its edges', () => {
    const { tree } = treeOf('a;b 30\na;c 30\nd 40');
    const part = { first: 20, last: 70 };
    const slice = visibleSlice(tree, { ...window, firstWeight: part.first, lastWeight: part.last });
    const { root } = sliceToD3(slice, part, window.widthPx);
    expect(root).toMatchObject({
      value: 0,
      children: [
        { value: 0, children: [{ value: 10 }, { value: 30 }] },
        { value: 10, children: [] },
      ],
    });
    const places = layOut(root)
      .descendants()
      .map(({ x0, x1 }) => [x0 * 50, x1 * 50]);
    expect(places).toEqual([
      [0, 50],
      [0, 40],
      [40, 50],
      [0, 10],
      [10, 40],
    ]);
  });

  test('merges narrow siblings into a filler of their weight', () => {
    const { tree } = treeOf('a 900\nb 2\nc 3\nd 95');
    const { root } = sliceToD3(
      visibleSlice(tree, { ...window, minWidthPx: 1 }),
      { first: 0, last: 1000 },
      window.widthPx,
    );
    expect(root.children.map(({ kind, value, isDrawn }) => [kind, value, isDrawn])).toEqual([
      ['frame', 900, true],
      ['filler', 5, false],
      ['frame', 95, true],
    ]);
  });

  test('puts a slice below its root under a spacer, with spacers between rows that are not adjacent', () => {
    const { tree } = treeOf('a 40\nb;c 25\nb 10\nd;e 25');
    const { root, rootDepth } = sliceToD3(
      visibleSlice(tree, { ...window, firstDepth: 2 }),
      { first: 0, last: 100 },
      window.widthPx,
    );
    expect(rootDepth).toBe(1);
    expect(root).toMatchObject({ kind: 'spacer', row: -1, value: 0 });
    expect(root.children.map(({ kind, value }) => [kind, value])).toEqual([
      ['spacer', 40],
      ['frame', 25],
      ['spacer', 10],
      ['frame', 25],
    ]);
  });

  test('leaves the rest of the width empty for a root on a larger scale', () => {
    const { tree } = treeOf('a 30\nb 10');
    const { root, rootDepth } = sliceToD3(visibleSlice(tree, window), { first: 0, last: 50 }, window.widthPx);
    expect(rootDepth).toBe(-1);
    expect(root).toMatchObject({
      kind: 'spacer',
      value: 10,
      children: [{ kind: 'frame', row: 0, children: [{ value: 30 }, { value: 10 }] }],
    });
  });

  test('returns a spacer of the whole width without rows', () => {
    const { tree } = treeOf('a 1');
    const { root } = sliceToD3(visibleSlice(tree, { ...window, firstDepth: 9 }), { first: 0, last: 1 }, window.widthPx);
    expect(root).toMatchObject({ kind: 'spacer', value: 1, children: [] });
  });

  test('places each row as in the slice, for any tree and window', () => {
    const stack = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 7 });
    const line = fc.tuple(stack, fc.integer({ min: 1, max: 1000 }));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.nat(4),
        fc.integer({ min: 1, max: 5 }),
        (lines, firstDepth, depthCount) => {
          const { tree } = treeOf(lines.map(([names, weight]) => `${names.join(';')} ${weight}`).join('\n'));
          const total = tree.total[0]!;
          const slice = visibleSlice(tree, { ...window, minWidthPx: 5, firstDepth, depthCount });
          const { root, rootDepth } = sliceToD3(slice, { first: 0, last: total }, window.widthPx);
          const seen = new Set<number>();
          for (const { data, x0, x1, depth } of layOut(root).descendants()) {
            if (data.row < 0) continue;
            seen.add(data.row);
            expect(x0 * total).toBeCloseTo(slice.start[data.row]!, 6);
            expect((x1 - x0) * total).toBeCloseTo(slice.total[data.row]!, 6);
            expect(depth + rootDepth).toBe(slice.depth[data.row]);
          }
          expect(seen.size).toBe(slice.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});
