import type { VisibleSlice } from '#core/analyze/view/stack-view.ts';
import type { WeightRange } from '../../../core/analyze/graph/weight-range.ts';
import type { Orientation } from './flame-graph.types.ts';

/** Height of a frame with its gap, where nobody chose another. */
export const FRAME_PX = 18;
/** Frames narrower than this go into fillers. */
export const MIN_FRAME_PX = 2;

/** What is narrower may lie between the middles of two pixels, where no texture meets it: it shows as a line of that width over its neighbours. */
export const HAIRLINE_PX = 1;
/** What d3-flame-graph redraws in time: a zoom of 450 frames is painted within 60 ms. */
export const MAX_FRAMES = 450;
/** Rows drawn beyond each edge of the viewport, so that a scroll shows frames while the next slice is on its way. */
const OVERSCAN_ROWS = 5;

/** Pixels within the scrolled content. */
export interface FrameBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where things lie for one zoomed root at one size. Pixels across count from the drawing's left edge. */
export interface FlameLayout {
  readonly orientation: Orientation;
  /** Of what is drawn, which `range` fills. */
  readonly widthPx: number;
  readonly range: WeightRange;
  /** The part of the drawing that is in view at rest. */
  readonly viewLeftPx: number;
  readonly viewWidthPx: number;
  /** Of the whole content: all rows, at least the viewport. */
  readonly heightPx: number;
  readonly rootTotal: number;
  /** Of the zoomed root, below the whole tree's. */
  readonly rootDepth: number;
  /** Height of a frame with its gap. */
  readonly rowPx: number;
}

/** Top of a row. Depth 0 is the root: the bottom row of a flame graph, the top row of an icicle. */
export function rowTop(layout: FlameLayout, depth: number): number {
  return layout.orientation === 'icicle' ? depth * layout.rowPx : layout.heightPx - (depth + 1) * layout.rowPx;
}

/** The depth of the row at a height within the content. */
export function depthAt(layout: FlameLayout, topPx: number): number {
  return Math.floor((layout.orientation === 'icicle' ? topPx : layout.heightPx - topPx) / layout.rowPx);
}

export function contentHeight(maxDepth: number, viewportPx: number, rowPx: number): number {
  return Math.max(viewportPx, (maxDepth + 1) * rowPx);
}

/** The part of a frame that lies within the drawn range. */
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

/** Pixels between the viewport's edge at the root's side and the content's. Stays the same when the content grows at the other side. */
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

/** First row and number of rows that touch the viewport. */
export function rowsInView(
  rootDistancePx: number,
  viewportPx: number,
  rowPx: number,
): { firstDepth: number; depthCount: number } {
  const firstDepth = Math.max(0, Math.floor(rootDistancePx / rowPx));
  const lastDepth = Math.ceil((rootDistancePx + viewportPx) / rowPx);
  return { firstDepth, depthCount: Math.max(1, lastDepth - firstDepth) };
}

/** Adds the overscan. */
export function rowsToDraw(view: { firstDepth: number; depthCount: number }): {
  firstDepth: number;
  depthCount: number;
} {
  const firstDepth = Math.max(0, view.firstDepth - OVERSCAN_ROWS);
  return { firstDepth, depthCount: view.firstDepth + view.depthCount + OVERSCAN_ROWS - firstDepth };
}
