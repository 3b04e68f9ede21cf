import { expect, test } from 'vitest';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import { SliceStore } from '../../../../renderer/ui/flame/slice-requests.ts';
import { treeSource } from '../../../../core/analyze/graph/tree-source.ts';
import { treeOf } from './tree-of.ts';

const sketch = treeOf('main;read 3');
const source = treeSource(sketch.profile, sketch.tree);
const request = (root: number, widthPx = 1000): SliceRequest => ({
  root: root as CallNodeIndex,
  widthPx,
  minWidthPx: 2,
  firstDepth: 0,
  depthCount: 50,
  maxFrames: 600,
});

test('returns a loaded slice for the same request of the same tree', async () => {
  const store = new SliceStore();
  expect(store.find(source, request(1))).toBeNull();
  const slice = await store.load(source, request(1));
  expect(store.find(source, request(1))).toBe(slice);
  expect(store.find(source, request(1, 999))).toBeNull();
  expect(store.find(treeSource(sketch.profile, sketch.tree), request(1))).toBeNull();
});

test('another tree replaces the previous one', async () => {
  const store = new SliceStore();
  const other = treeSource(sketch.profile, sketch.tree);
  await store.load(source, request(1));
  await store.load(other, request(0));
  expect(store.find(source, request(1))).toBeNull();
  expect(store.find(other, request(1))).toBeNull();
});

test('drops the oldest', async () => {
  const store = new SliceStore();
  for (let widthPx = 1; widthPx <= 17; widthPx++) await store.load(source, request(1, widthPx));
  expect(store.find(source, request(1, 1))).toBeNull();
  expect(store.find(source, request(1, 2))).not.toBeNull();
});

test('reports a failure and caches nothing', async () => {
  const store = new SliceStore();
  const broken = { ...source, requestSlice: () => Promise.reject(new Error('the worker ended')) };
  await expect(store.load(broken, request(1))).rejects.toThrow('the worker ended');
  expect(store.find(broken, request(1))).toBeNull();
});
