import { expect, test } from 'vitest';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { fillerAtPlace, rowAtPlace, runInTexture } from '../../../../../renderer/ui/flame/input/slice-hit.ts';
import { flameSlice } from '../../../../../core/analyze/graph/tree-source.ts';
import { treeOf } from '../tree-of.ts';

const { profile, tree } = treeOf('a;x 40\nb 10\nb;y 1\nb;z 49');
const window = { widthPx: 50, minWidthPx: 2, firstDepth: 0, depthCount: 9, maxFrames: 600 };
const { slice, func, functions } = flameSlice(profile, tree, { root: 0 as CallNodeIndex, ...window });
const at = (depth: number, weight: number, weightPerPx = 0): string | null => {
  const row = rowAtPlace(slice, depth, weight, weightPerPx);
  return row < 0 ? null : slice.node[row]! < 0 ? 'filler' : (functions.get(func[row]!)?.name ?? 'all');
};

test('hits the frame that covers the point; its end belongs to the next', () => {
  expect(at(0, 99)).toBe('all');
  expect(at(1, 0)).toBe('a');
  expect(at(1, 39.9)).toBe('a');
  expect(at(1, 40)).toBe('b');
  expect(at(2, 40.5)).toBe('filler');
  expect(at(2, 41)).toBe('z');
});

test('hits the nearest frame within reach', () => {
  expect(at(2, 91)).toBeNull();
  expect(at(2, 91, 1)).toBe('z');
  expect(at(2, 95, 3)).toBeNull();
  expect(at(3, 50, 30)).toBeNull();
});

test('hits a hairline where it is visible, over its neighbours', () => {
  expect(at(2, 41.2, 1.5)).toBe('filler');
  expect(at(2, 39.1, 1.5)).toBe('filler');
  expect(at(2, 43, 1.5)).toBe('z');
  expect(at(2, 41.2, 0.9)).toBe('z');
});

test('finds a texture’s function at a point, and its filler also in the rows below', () => {
  const hidden = treeOf('main;a;deep 2\nmain;b 1\nmain;wide 97');
  const request = { root: 0 as CallNodeIndex, ...window, columnsPerPx: 10, minWidthPx: 4 };
  const data = flameSlice(hidden.profile, hidden.tree, request);
  const runAt = (depth: number, weight: number): [string | undefined, number, number] | null => {
    const run = runInTexture(data.texture!, depth, weight);
    return run === null ? null : [data.functions.get(run.func)?.name, run.first, run.last];
  };
  expect([runAt(2, 1), runAt(3, 1), runAt(2, 2.5)]).toEqual([
    ['a', 0, 2],
    ['deep', 0, 2],
    ['b', 2, 3],
  ]);
  expect([runAt(3, 2.5), runAt(2, 50), runAt(1, 1), runAt(9, 1), runAt(2, -1)]).toEqual([null, null, null, null, null]);
  const filler = [...data.slice.node].indexOf(-1);
  expect(data.slice.depth[filler]).toBe(2);
  expect([fillerAtPlace(data.slice, 3, 1, 1), fillerAtPlace(data.slice, 3, 3.5, 1)]).toEqual([filler, filler]);
  expect([fillerAtPlace(data.slice, 1, 1, 1), fillerAtPlace(data.slice, 3, 50, 1)]).toEqual([-1, -1]);
});

test('returns the texture on request, and null if nothing is hidden', () => {
  const root = 0 as CallNodeIndex;
  expect(flameSlice(profile, tree, { root, ...window })).not.toHaveProperty('texture');
  expect(flameSlice(profile, tree, { root, ...window, minWidthPx: 0, columnsPerPx: 1 }).texture).toBeNull();
});
