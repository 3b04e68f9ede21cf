import { describe, expect, test } from 'vitest';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { DrawnSlice, layoutOf } from '../../../../../renderer/ui/flame/chart/drawn-slice.ts';
import type { DeltaColumns, FlameSlice } from '#core/analyze/graph/flame-slice.ts';
import { flameSlice, treeSource } from '../../../../../core/analyze/graph/tree-source.ts';
import { partToDraw, type WeightRange } from '../../../../../core/analyze/graph/weight-range.ts';
import { treeOf } from '../tree-of.ts';

const WIDTH_PX = 100;
const ROW_PX = 18;

/** Returns an icicle of a tree in 100 px, of which all or a part is visible; `scale` exceeds its own weight. */
function drawn(text: string, view: WeightRange | null = null, more: Partial<FlameSlice> = {}): DrawnSlice {
  const { profile, tree } = treeOf(text);
  const root = 0 as CallNodeIndex;
  const request = { root, widthPx: WIDTH_PX, minWidthPx: 1, firstDepth: 0, depthCount: 9, maxFrames: 600 };
  const data = { ...flameSlice(profile, tree, request), ...more };
  const part = partToDraw(view, data.rootScale, WIDTH_PX);
  const source = treeSource(profile, tree);
  const answer = { data, source, request, viewPx: WIDTH_PX, part };
  return new DrawnSlice(answer, layoutOf(answer, 'icicle', 300, ROW_PX), 0);
}

describe('a missing frame', () => {
  test('is where its weight would begin, in its row', () => {
    expect(drawn('a 30\nc 10').placeOf(30, 1)).toMatchObject({ left: 75, top: ROW_PX, height: ROW_PX });
    expect(drawn('a 30\nc 10', null, { rootScale: 80 }).placeOf(30, 2)).toMatchObject({ left: 37.5, top: 2 * ROW_PX });
    expect(drawn('a 30\nc 10').placeOf(40, 1)).toMatchObject({ left: 100 });
  });

  test('follows a part of the width', () => {
    const { left, viewLeftPx } = drawn('a 30\nc 10', { first: 20, last: 40 }).placeOf(30, 1)!;
    expect(left - viewLeftPx).toBe(50);
  });

  test('is null outside the zoomed root', () => {
    const zoomed = drawn('a 30\nc 10', null, { rootStart: 100 });
    expect([zoomed.placeOf(99, 1), zoomed.placeOf(141, 1), zoomed.placeOf(120, -1)]).toEqual([null, null, null]);
    expect(zoomed.placeOf(130, 1)).toMatchObject({ left: 75 });
  });
});

test('outlines frames of one side, except fillers and very narrow ones', () => {
  const text = 'a 500\nb 300\nc 190\nd 10';
  const column = (...values: number[]) => Float64Array.from(values);
  const deltas: DeltaColumns = {
    before: column(990, 500, 0, 190, 0),
    after: column(1000, 500, 300, 0, 10),
    selfBefore: column(0, 0, 0, 0, 0),
    selfAfter: column(0, 0, 0, 0, 0),
    verdict: new Uint8Array(5),
  };
  expect(
    drawn(text, null, { deltas })
      .oneSided()
      .map(({ left, width }) => [left, width]),
  ).toEqual([
    [50, 30],
    [80, 19],
  ]);
  expect(drawn(text).oneSided()).toEqual([]);
});

test('names the content of a filler at its place, even if the filler is above the requested rows', () => {
  const { profile, tree } = treeOf('main;a;deep;deeper 2\nmain;wide 98');
  const at = (firstDepth: number, depth: number) => {
    const root = 0 as CallNodeIndex;
    const request = {
      root,
      widthPx: WIDTH_PX,
      minWidthPx: 4,
      firstDepth,
      depthCount: 9,
      maxFrames: 600,
      columnsPerPx: 1,
    };
    const data = flameSlice(profile, tree, request);
    const part = partToDraw(null, data.rootScale, WIDTH_PX);
    const answer = { data, source: treeSource(profile, tree), request, viewPx: WIDTH_PX, part };
    const slice = new DrawnSlice(answer, layoutOf(answer, 'icicle', 300, ROW_PX), 0);
    return slice.hitAt(depth * ROW_PX + 1, 1, 1).detail;
  };
  expect(at(0, 3)).toMatchObject({ frame: null, fillerNodes: 3, total: 2, depth: 2, pointed: { name: 'deep' } });
  expect(at(3, 3)).toMatchObject({
    frame: null,
    fillerNodes: 0,
    total: 2,
    start: 0,
    depth: 3,
    pointed: { name: 'deep' },
  });
  expect(at(3, 5)).toBeNull();
});
