import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FlameSource, FunctionFacts, Orientation, Theme, ViewPoint, WeightFormat } from './flame-graph.types.ts';
import type { FrameDetail } from './frame-detail.ts';

/** What the view shows; a new object where anything changed. */
export interface FlameViewState {
  readonly source: FlameSource;
  readonly orientation: Orientation;
  readonly rootNode: CallNodeIndex;
  readonly selectedNode: CallNodeIndex | null;
  readonly selectedFunction: FunctionIndex | null;
  readonly matches: Uint8Array | null;
  readonly colourOf: (facts: FunctionFacts) => string;
  readonly theme: Theme;
  readonly format: WeightFormat;
  readonly fillerPaint: string;
}

export interface FlameViewElements {
  /** Scrolls `content`, which is as high as all rows. */
  readonly scroller: HTMLElement;
  readonly content: HTMLElement;
  /** Lies where the drawn rows are; holds `chart` and `overlay`. */
  readonly layer: HTMLElement;
  readonly chart: HTMLElement;
  readonly overlay: SVGSVGElement;
}

export interface FlameViewEvents {
  onHover(detail: FrameDetail | null, point: ViewPoint): void;
  onClick(detail: FrameDetail): void;
  onContextMenu(detail: FrameDetail, point: ViewPoint): void;
  /** One line. */
  onError(message: string): void;
}
