import { describe, expect, test } from 'vitest';
import { visibleSlice } from '#core/analyze/tree/visible-slice.ts';
import {
  contentHeight,
  frameBox,
  rootDistance,
  rowTop,
  rowsInView,
  rowsToDraw,
  scrollTopFor,
} from '../../../../../renderer/ui/flame/chart/layout.ts';
import { treeOf } from '../tree-of.ts';

/** Height of a frame including its gap. */
const FRAME_PX = 18;

describe('flame layout', () => {
  test('the root is at the bottom of a flame graph and on top of an icicle', () => {
    const view = { range: { first: 0, last: 1 }, viewLeftPx: 0, viewWidthPx: 100 };
    const layout = { widthPx: 100, heightPx: 180, rootTotal: 1, rootDepth: 0, rowPx: FRAME_PX, ...view };
    expect(rowTop({ ...layout, orientation: 'flame' }, 0)).toBe(162);
    expect(rowTop({ ...layout, orientation: 'flame' }, 9)).toBe(0);
    expect(rowTop({ ...layout, orientation: 'icicle' }, 9)).toBe(162);
  });

  test('the content is at least as high as the viewport', () => {
    expect(contentHeight(3, 500, FRAME_PX)).toBe(500);
    expect(contentHeight(99, 500, FRAME_PX)).toBe(1800);
  });

  test('a frame is as wide as its share', () => {
    const { tree } = treeOf('a 30\nb 70');
    const slice = visibleSlice(tree, { root: 0, widthPx: 200, minWidthPx: 1, firstDepth: 0, depthCount: 5 });
    const size = {
      orientation: 'icicle',
      widthPx: 200,
      heightPx: 100,
      rootTotal: 100,
      rootDepth: 0,
      rowPx: FRAME_PX,
    } as const;
    const layout = { ...size, range: { first: 0, last: 100 }, viewLeftPx: 0, viewWidthPx: 200 };
    expect(frameBox(layout, slice, 2)).toEqual({ left: 60, top: 18, width: 140, height: 18 });
    const part = { ...layout, range: { first: 20, last: 40 } };
    expect(frameBox(part, slice, 1)).toEqual({ left: 0, top: 18, width: 100, height: 18 });
    expect(frameBox(part, slice, 2)).toEqual({ left: 100, top: 18, width: 100, height: 18 });
  });

  test('the distance to the root survives a change of height, in both orientations', () => {
    for (const orientation of ['flame', 'icicle'] as const) {
      const distance = rootDistance(orientation, { top: 300, viewport: 400, content: 1000 });
      const top = scrollTopFor(orientation, { rootDistance: distance, viewport: 400, content: 1500 });
      expect(rootDistance(orientation, { top, viewport: 400, content: 1500 })).toBe(distance);
    }
  });

  test('draws the rows that touch the viewport, and five more on either side', () => {
    expect(rowsInView(0, 180, FRAME_PX)).toEqual({ firstDepth: 0, depthCount: 10 });
    expect(rowsInView(10, 180, FRAME_PX)).toEqual({ firstDepth: 0, depthCount: 11 });
    expect(rowsToDraw({ firstDepth: 0, depthCount: 10 })).toEqual({ firstDepth: 0, depthCount: 15 });
    expect(rowsToDraw({ firstDepth: 20, depthCount: 10 })).toEqual({ firstDepth: 15, depthCount: 20 });
  });
});
