import type { VisibleRows } from './minimap/map-box.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import type { FlameSlice, FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { AxisLook, DeltaStyle, Orientation, Theme, ViewPoint, WeightFormat } from './graph.types.ts';
import type { FrameDetail } from './tooltip/frame-detail.ts';
import type { WeightRange } from '#core/analyze/graph/weight-range.ts';

/** The state that the view shows. */
export interface FlameViewState {
  readonly source: FlameSource;
  readonly orientation: Orientation;
  readonly rootNode: CallNodeIndex;
  /** The visible part of the zoomed root; null shows all of it. */
  readonly range: WeightRange | null;
  readonly selectedNode: CallNodeIndex | null;
  readonly selectedFunction: FunctionIndex | null;
  readonly matches: Uint8Array | null;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** Null outside of comparisons. */
  readonly deltaStyle: DeltaStyle | null;
  /** Returns whether a frame keeps its colour; null if all do. */
  readonly isLit: ((facts: FunctionFacts) => boolean) | null;
  /** Colour of matches; null keeps their own colours. */
  readonly matchColour: string | null;
  readonly theme: Theme;
  readonly format: WeightFormat;
  readonly axis: AxisLook;
  readonly fillerPaint: string;
}

/** A frame highlighted elsewhere; a null node means all frames of the function. */
export interface PointedFrame {
  readonly node: CallNodeIndex | null;
  readonly func: FunctionIndex | null;
}

/** A frame that a side lacks, with its position. */
export interface MissingFrame {
  /** A label such as `not in after: f`. */
  readonly text: string;
  /** Weight to its left in the whole tree. */
  readonly start: number;
  /** Depth below the zoomed root. */
  readonly depth: number;
}

export interface FlameViewElements {
  /** Scrolls `content`, which is as high as all rows together. */
  readonly scroller: HTMLDivElement;
  readonly content: HTMLDivElement;
  /** Covers the drawn rows; contains `chart` and `overlay`. */
  readonly layer: HTMLDivElement;
  readonly chart: HTMLDivElement;
  readonly overlay: SVGSVGElement;
  /** In the layer, below the chart. */
  readonly grid: SVGSVGElement;
  /** Below the scroller, as wide as `content`. */
  readonly ticks: HTMLDivElement;
}

export interface FlameViewEvents {
  /** `whole` requests the full text of a long name. */
  onHover(detail: FrameDetail | null, point: ViewPoint, whole: boolean): void;
  /** `share` is the position across the width, from 0 to 1; `away` is true for the middle button and with Ctrl. */
  onClick(detail: FrameDetail, share: number, away: boolean): void;
  onContextMenu(detail: FrameDetail, point: ViewPoint): void;
  /** Called with the ID of a pin that was clicked. */
  onPin(id: string): void;
  /** Called when a gesture rests. */
  onRange(range: WeightRange | null): void;
  /** Called for each frame of a gesture and after each drawing with the visible range, as weights of the whole tree. */
  onViewport(first: number, last: number): void;
  /** Called after each drawing and each scroll. */
  onRows(rows: VisibleRows): void;
  /**
   * Called when the user scrolled or moved by keyboard; the distance in pixels is between the view and the root at the
   * root's edge.
   */
  onScroll(rootDistancePx: number): void;
  /** Called after each drawing. */
  onDrawn(data: FlameSlice): void;
  /** Called with a one-line message. */
  onError(message: string): void;
}

/** The events of the component's last render. */
export interface LatestEvents {
  readonly current: FlameViewEvents;
}

/** Fields whose change redraws the same slice. */
const LOOKS = [
  'orientation',
  'matches',
  'colourOf',
  'deltaStyle',
  'isLit',
  'matchColour',
  'theme',
  'format',
  'axis',
] as const satisfies readonly (keyof FlameViewState)[];

/** Returns whether the same slice must be redrawn. */
export function isDrawnDifferently(before: FlameViewState, next: FlameViewState): boolean {
  return LOOKS.some((part) => before[part] !== next[part]);
}
