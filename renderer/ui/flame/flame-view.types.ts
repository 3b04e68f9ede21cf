import type { VisibleRows } from './map-box.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FlameSlice, FlameSource, FunctionFacts } from '#core/analyze/graph/flame-slice.ts';
import type { AxisLook, DeltaLook, Orientation, Theme, ViewPoint, WeightFormat } from './flame-graph.types.ts';
import type { FrameDetail } from './frame-detail.ts';
import type { WeightRange } from '../../../core/analyze/graph/weight-range.ts';

/** What the view shows; a new object where anything changed. */
export interface FlameViewState {
  readonly source: FlameSource;
  readonly orientation: Orientation;
  readonly rootNode: CallNodeIndex;
  /** The part of the zoomed root in view; null: all of it. */
  readonly range: WeightRange | null;
  readonly selectedNode: CallNodeIndex | null;
  readonly selectedFunction: FunctionIndex | null;
  readonly matches: Uint8Array | null;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** Null outside of comparisons. */
  readonly deltaLook: DeltaLook | null;
  /** What stays in its colour; null: all. */
  readonly isLit: ((facts: FunctionFacts) => boolean) | null;
  /** Of what a search matches; null: its own colour. */
  readonly matchColour: string | null;
  readonly theme: Theme;
  readonly format: WeightFormat;
  readonly axis: AxisLook;
  readonly fillerPaint: string;
}

/** What is pointed at elsewhere. A null node: all of the function. */
export interface PointedFrame {
  readonly node: CallNodeIndex | null;
  readonly func: FunctionIndex | null;
}

/** A frame that a side lacks, and where it would be. */
export interface MissingFrame {
  /** `not in after: f`. */
  readonly text: string;
  /** Weight left of it in the whole tree. */
  readonly start: number;
  /** Below the zoomed root. */
  readonly depth: number;
}

export interface FlameViewElements {
  /** Scrolls `content`, which is as high as all rows. */
  readonly scroller: HTMLElement;
  readonly content: HTMLElement;
  /** Lies where the drawn rows are; holds `chart` and `overlay`. */
  readonly layer: HTMLElement;
  readonly chart: HTMLElement;
  readonly overlay: SVGSVGElement;
  /** Below the chart, in the layer. */
  readonly grid: SVGSVGElement;
  /** Above the scroller, as wide as `content`. */
  readonly ticks: HTMLElement;
}

export interface FlameViewEvents {
  /** `whole`: with the whole of a long name. */
  onHover(detail: FrameDetail | null, point: ViewPoint, whole: boolean): void;
  /** `share`: where across the width, 0 … 1. */
  onClick(detail: FrameDetail, share: number): void;
  onContextMenu(detail: FrameDetail, point: ViewPoint): void;
  /** A gesture has come to rest here. */
  onRange(range: WeightRange | null): void;
  /** Each frame of a gesture, and after each drawing: what is in view, as weights of the whole tree. */
  onViewport(first: number, last: number): void;
  /** After each drawing and each scroll. */
  onRows(rows: VisibleRows): void;
  /** The user scrolled, or a walk did: pixels between the view's edge at the root's side and the root. */
  onScroll(rootDistancePx: number): void;
  /** After each drawing. */
  onDrawn(data: FlameSlice): void;
  /** One line. */
  onError(message: string): void;
}
