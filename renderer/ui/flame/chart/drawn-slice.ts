import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { Orientation } from '../graph.types.ts';
import { HATCH_MIN_PX, type FlameSlice, type FlameSource, type SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import {
  MAX_FRAMES,
  MIN_FRAME_PX,
  contentHeight,
  depthAt,
  frameBox,
  rowTop,
  type FlameLayout,
  type FrameBox,
} from './layout.ts';
import { frameDetail, hiddenDetail, type FrameDetail } from '../tooltip/frame-detail.ts';
import { fillerAtPlace, NO_HIT, rowAtPlace, runInTexture, type SliceHit } from '../input/slice-hit.ts';
import { rowOfNode } from '../input/slice-navigation.ts';
import type { DrawnPart } from '../../../../core/analyze/graph/weight-range.ts';

/** Relative rounding error of sums, which depend on the order of addition. */
const ROUNDING = 1e-9;

/** Maximum distance of a menu from the left edge of its frame. */
const MENU_PX = 120;

/** An outline would cover a narrower frame completely. */
const MIN_OUTLINED_PX = 4;

/** A request with its answer. */
export interface SliceAnswer {
  readonly data: FlameSlice;
  readonly source: FlameSource;
  readonly request: SliceRequest;
  /** Width of the view at the time of the request. */
  readonly viewPx: number;
  readonly part: DrawnPart;
}

/** Returns the request for `part` of the root, or all of it if null, in the given rows. */
export function sliceRequest(
  root: CallNodeIndex,
  part: DrawnPart | null,
  viewPx: number,
  rows: { readonly firstDepth: number; readonly depthCount: number },
): SliceRequest {
  const window = part === null ? {} : { firstWeight: part.range.first, lastWeight: part.range.last };
  const limits = { widthPx: part?.widthPx ?? viewPx, minWidthPx: MIN_FRAME_PX, maxFrames: MAX_FRAMES };
  return { root, ...limits, ...rows, ...window };
}

/** Returns the layout of a slice. `viewportPx` is the height of the scrolled area. */
export function layoutOf(
  { data, part, viewPx }: Pick<SliceAnswer, 'data' | 'part' | 'viewPx'>,
  orientation: Orientation,
  viewportPx: number,
  rowPx: number,
): FlameLayout {
  return {
    orientation,
    range: part.range,
    widthPx: part.widthPx,
    viewLeftPx: part.leftPx,
    viewWidthPx: viewPx,
    heightPx: contentHeight(data.slice.maxDepth, viewportPx, rowPx),
    rootTotal: data.rootTotal,
    rootDepth: data.rootDepth,
    rowPx,
  };
}

/** A position in pixels of the drawing. `viewLeftPx` and `viewWidthPx` give the visible part of the drawing. */
export interface FrameGeometry {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  readonly viewLeftPx: number;
  readonly viewWidthPx: number;
}

/** The slice on screen, with the positions of its rows. */
export class DrawnSlice {
  #answer: SliceAnswer;
  readonly layout: FlameLayout;
  /** Top of the drawing within the content. */
  readonly topPx: number;

  constructor(answer: SliceAnswer, layout: FlameLayout, topPx: number) {
    this.#answer = answer;
    this.layout = layout;
    this.topPx = topPx;
  }

  get answer(): SliceAnswer {
    return this.#answer;
  }

  get data(): FlameSlice {
    return this.#answer.data;
  }

  /** Returns whether another drawing shows the same graph in the same orientation, so that frames keep their order. */
  isOfGraph({ source, request }: SliceAnswer, { orientation }: FlameLayout): boolean {
    const { answer, layout } = this;
    return source === answer.source && request.root === answer.request.root && orientation === layout.orientation;
  }

  /** False in comparisons, where colours belong to paths, so that the frames inside fillers have none. */
  get mayHaveTexture(): boolean {
    return this.data.deltas === undefined;
  }

  /** Adds the texture of the fillers. */
  addTexture({ texture = null, functions }: FlameSlice): void {
    this.#answer = { ...this.#answer, data: { ...this.data, texture, functions } };
  }

  /** Returns the weight of the narrowest frame that is drawn. */
  get minTotal(): number {
    const { range, widthPx } = this.layout;
    return widthPx > 0 ? ((range.last - range.first) * MIN_FRAME_PX) / widthPx : 0;
  }

  /** Returns the row of a node; −1 if it is not drawn. */
  rowOf(node: CallNodeIndex | null): number {
    return node === null ? -1 : rowOfNode(this.data.slice, node);
  }

  /** Returns the request that zooming to a row would send; null if the row is not a frame. */
  zoomOf(
    row: number,
    rows: { readonly firstDepth: number; readonly depthCount: number },
  ): { readonly source: FlameSource; readonly request: SliceRequest } | null {
    const node = row < 0 ? -1 : this.data.slice.node[row]!;
    if (node < 0) return null;
    const { source, viewPx } = this.#answer;
    return { source, request: sliceRequest(node as CallNodeIndex, null, viewPx, rows) };
  }

  /** Returns the details of a row; null for −1. */
  detail(row: number): FrameDetail | null {
    return row < 0 ? null : frameDetail(this.data, row);
  }

  /**
   * Returns what is drawn at a height within the content and a weight from the root's left edge. A point in a texture
   * hits the filler to which the texture belongs.
   */
  hitAt(topPx: number, weight: number, weightPerPx: number): SliceHit {
    const { slice, functions, texture = null } = this.data;
    const depth = depthAt(this.layout, topPx);
    const run = texture === null ? null : runInTexture(texture, depth, weight);
    const covering = rowAtPlace(slice, depth, weight, weightPerPx);
    const row =
      covering < 0 && run !== null ? fillerAtPlace(slice, depth, weight, MIN_FRAME_PX * weightPerPx) : covering;
    if (row < 0) return run === null ? NO_HIT : { row, detail: hiddenDetail(this.data, depth, run) };
    const pointed = slice.node[row]! < 0 && run !== null ? (functions.get(run.func) ?? null) : null;
    return { row, detail: frameDetail(this.data, row, pointed) };
  }

  /** Returns a row's box in pixels of the content. */
  boxInContent(row: number): FrameBox {
    return frameBox(this.layout, this.data.slice, row);
  }

  /**
   * Returns where a node's menu opens: below its visible part, near the middle, in pixels of the content's visible
   * part; null if the node is not drawn.
   */
  placeBelow(node: CallNodeIndex): { readonly x: number; readonly y: number } | null {
    const row = this.rowOf(node);
    if (row < 0) return null;
    const { left, top, width, height } = this.boxInContent(row);
    return { x: Math.max(0, left - this.layout.viewLeftPx) + Math.min(width / 2, MENU_PX), y: top + height };
  }

  /**
   * Returns the position of a row's middle across the view, from 0 to 1; null if it is outside or there is no such row.
   */
  middleInView(row: number): number | null {
    const box = this.box(row);
    const { viewLeftPx, viewWidthPx } = this.layout;
    const share = box === null ? -1 : (box.left + box.width / 2 - viewLeftPx) / viewWidthPx;
    return share >= 0 && share <= 1 ? share : null;
  }

  /** Returns a row's box in pixels of the drawing; null for −1. */
  box(row: number): FrameBox | null {
    if (row < 0) return null;
    const { slice } = this.data;
    return { ...this.boxInContent(row), top: rowTop(this.layout, slice.depth[row]!) - this.topPx };
  }

  /**
   * Returns where a frame would be, drawn or not, in pixels of the drawing; null if it is outside the zoomed root.
   * `start` is the weight to its left in the whole tree.
   */
  placeOf(start: number, depth: number): FrameGeometry | null {
    const { rootStart, rootTotal } = this.data;
    const { range, widthPx, rowPx, viewLeftPx, viewWidthPx } = this.layout;
    const first = start - rootStart;
    const within = ROUNDING * rootTotal;
    if (depth < 0 || first < -within || first > rootTotal + within || range.last <= range.first) return null;
    const left = ((first - range.first) / (range.last - range.first)) * widthPx;
    return { left, top: rowTop(this.layout, depth) - this.topPx, height: rowPx, viewLeftPx, viewWidthPx };
  }

  boxesOf(func: FunctionIndex | null): FrameBox[] {
    return this.#boxesWhere((row) => func !== null && this.data.func[row] === func);
  }

  /** Returns the boxes of frames that only one side of a comparison has. */
  oneSided(): FrameBox[] {
    const { slice, deltas } = this.data;
    if (deltas === undefined) return [];
    const isOneSided = (row: number): boolean => (deltas.before[row] === 0) !== (deltas.after[row] === 0);
    return this.#boxesWhere((row) => slice.node[row]! >= 0 && isOneSided(row)).filter(
      ({ width }) => width >= MIN_OUTLINED_PX,
    );
  }

  /** Returns the boxes of fillers too narrow for hatching. */
  narrowFillers(): FrameBox[] {
    const { slice } = this.data;
    return this.#boxesWhere((row) => slice.node[row]! < 0).filter(({ width }) => width < HATCH_MIN_PX);
  }

  #boxesWhere(holds: (row: number) => boolean): FrameBox[] {
    const boxes: FrameBox[] = [];
    for (let row = 0; row < this.data.slice.length; row++) if (holds(row)) boxes.push(this.box(row)!);
    return boxes;
  }
}
