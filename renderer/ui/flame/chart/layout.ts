import type { VisibleSlice } from '#core/analyze/view/stack-view.ts';
import type { WeightRange } from '../../../../core/analyze/graph/weight-range.ts';
import type { Orientation } from '../graph.types.ts';

/** Narrower frames are merged into fillers. */
export const MIN_FRAME_PX = 2;

/**
 * Width below which a texture can miss a frame, because it may lie between the middles of two pixels; it is then drawn
 * as a line of this width over its neighbours.
 */
export const HAIRLINE_PX = 1;
/** Number of frames that d3-flame-graph redraws in time: it paints a zoom of 450 frames within 60 ms. */
export const MAX_FRAMES = 450;
/** Rows drawn beyond each edge of the viewport, so that scrolling shows frames before the next slice arrives. */
const OVERSCAN_ROWS = 5;

/** A box in pixels of the scrolled content. */
export interface FrameBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The layout for one zoomed root at one size. Horizontal pixels are counted from the drawing's left edge. */
export interface FlameLayout {
  readonly orientation: Orientation;
  /** Width of the drawing, which `range` fills. */
  readonly widthPx: number;
  readonly range: WeightRange;
  /** The part of the drawing that is visible when no gesture is active. */
  readonly viewLeftPx: number;
  readonly viewWidthPx: number;
  /** Height of the whole content: all rows, and at least the viewport. */
  readonly heightPx: number;
  readonly rootTotal: number;
  /** Depth of the zoomed root in the whole tree. */
  readonly rootDepth: number;
  /** Height of a frame including its gap. */
  readonly rowPx: number;
}

/** Returns the top of a row. Depth 0 is the root: the bottom row of a flame graph, the top row of an icicle. */
export function rowTop(layout: FlameLayout, depth: number): number {
  return layout.orientation === 'icicle' ? depth * layout.rowPx : layout.heightPx - (depth + 1) * layout.rowPx;
}

/** Returns the depth of the row at a height within the content. */
export function depthAt(layout: FlameLayout, topPx: number): number {
  return Math.floor((layout.orientation === 'icicle' ? topPx : layout.heightPx - topPx) / layout.rowPx);
}

export function contentHeight(maxDepth: number, viewportPx: number, rowPx: number): number {
  return Math.max(viewportPx, (maxDepth + 1) * rowPx);
}

/** Returns the box of the part of a frame within the drawn range. */
export function frameBox(layout: FlameLayout, slice: VisibleSlice, row: number): FrameBox {
  const { first, last } = layout.range;
  const pxPerWeight = last > first ? layout.widthPx / (last - first) : 0;
  const start = Math.max(first, slice.start[row]!);
  const end = Math.min(last, slice.start[row]! + slice.total[row]!);
  return {
    left: (start - first) * pxPerWeight,
    top: rowTop(layout, slice.depth[row]!),
    width: last > first ? Math.max(0, end - start) * pxPerWeight : layout.widthPx,
    height: layout.rowPx,
  };
}

/**
 * Returns the distance in pixels between the viewport and the content at the root's edge. It does not change when the
 * content grows at the other edge.
 */
export function rootDistance(
  orientation: Orientation,
  scroll: { top: number; viewport: number; content: number },
): number {
  return orientation === 'icicle' ? scroll.top : Math.max(0, scroll.content - scroll.viewport - scroll.top);
}

export function scrollTopFor(
  orientation: Orientation,
  scroll: { rootDistance: number; viewport: number; content: number },
): number {
  return orientation === 'icicle'
    ? scroll.rootDistance
    : Math.max(0, scroll.content - scroll.viewport - scroll.rootDistance);
}

/** Returns the first row and the number of rows that touch the viewport. */
export function rowsInView(
  rootDistancePx: number,
  viewportPx: number,
  rowPx: number,
): { firstDepth: number; depthCount: number } {
  const firstDepth = Math.max(0, Math.floor(rootDistancePx / rowPx));
  const lastDepth = Math.ceil((rootDistancePx + viewportPx) / rowPx);
  return { firstDepth, depthCount: Math.max(1, lastDepth - firstDepth) };
}

/** Adds the overscan rows. */
export function rowsToDraw(view: { firstDepth: number; depthCount: number }): {
  firstDepth: number;
  depthCount: number;
} {
  const firstDepth = Math.max(0, view.firstDepth - OVERSCAN_ROWS);
  return { firstDepth, depthCount: view.firstDepth + view.depthCount + OVERSCAN_ROWS - firstDepth };
}
