import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FlameSlice, FlameSource, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import type { Orientation } from './flame-graph.types.ts';
import { HATCH_MIN_PX } from '#core/analyze/graph/flame-slice.ts';
import {
  MAX_FRAMES,
  MIN_FRAME_PX,
  contentHeight,
  depthAt,
  frameBox,
  rowTop,
  type FlameLayout,
  type FrameBox,
} from './flame-layout.ts';
import { frameDetail, hiddenDetail, type FrameDetail } from './frame-detail.ts';
import { fillerAtPlace, NO_HIT, rowAtPlace, runInTexture, type SliceHit } from './slice-hit.ts';
import { rowOfNode } from './slice-navigation.ts';
import type { DrawnPart } from '../../../core/analyze/graph/weight-range.ts';

/** Sums of weights differ in their last bits with the order of adding. */
const ROUNDING = 1e-9;

/** How far from its left edge a wide frame's menu opens at the most. */
const MENU_PX = 120;

/** An outline of a narrower frame would be all of it. */
const MIN_OUTLINED_PX = 4;

/** What was asked for, and the answer. */
export interface SliceAnswer {
  readonly data: FlameSlice;
  readonly source: FlameSource;
  readonly request: SliceRequest;
  /** Of the view when it was asked for. */
  readonly viewPx: number;
  readonly part: DrawnPart;
}

/** What to ask for: `part` of the root, null: all of it, in rows of the depths in view. */
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

/** Where things of a slice lie. `viewportPx`: the scrolled area's height. */
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

/** In the pixels of the drawing; `viewLeftPx` and `viewWidthPx`: what of it is in view. */
export interface FrameGeometry {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  readonly viewLeftPx: number;
  readonly viewWidthPx: number;
}

/** A slice that is on screen: which rows are where. */
export class DrawnSlice {
  #answer: SliceAnswer;
  readonly layout: FlameLayout;
  /** Where the drawing begins within the content. */
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

  /** Whether another drawing is of the same graph the same way round, so that both have the same things side by side. */
  isOfGraph({ source, request }: SliceAnswer, { orientation }: FlameLayout): boolean {
    const { answer, layout } = this;
    return source === answer.source && request.root === answer.request.root && orientation === layout.orientation;
  }

  /** In a comparison, colours are of paths: there are none for what fillers hold. */
  get mayHaveTexture(): boolean {
    return this.data.deltas === undefined;
  }

  /** What fillers hold. */
  addTexture({ texture = null, functions }: FlameSlice): void {
    this.#answer = { ...this.#answer, data: { ...this.data, texture, functions } };
  }

  /** Weight as wide as the narrowest frame that is drawn. */
  get minTotal(): number {
    const { range, widthPx } = this.layout;
    return widthPx > 0 ? ((range.last - range.first) * MIN_FRAME_PX) / widthPx : 0;
  }

  /** −1: not drawn. */
  rowOf(node: CallNodeIndex | null): number {
    return node === null ? -1 : rowOfNode(this.data.slice, node);
  }

  /** What a click on a row asks for, to be shown in rows of the depths in view; null for no frame. */
  zoomOf(
    row: number,
    rows: { readonly firstDepth: number; readonly depthCount: number },
  ): { readonly source: FlameSource; readonly request: SliceRequest } | null {
    const node = row < 0 ? -1 : this.data.slice.node[row]!;
    if (node < 0) return null;
    const { source, viewPx } = this.#answer;
    return { source, request: sliceRequest(node as CallNodeIndex, null, viewPx, rows) };
  }

  /** Null for no row. */
  detail(row: number): FrameDetail | null {
    return row < 0 ? null : frameDetail(this.data, row);
  }

  /** What is at a height within the content and a weight from the root's left edge. What a texture shows is its filler's, in all rows. */
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

  /** In the pixels of the content. */
  boxInContent(row: number): FrameBox {
    return frameBox(this.layout, this.data.slice, row);
  }

  /** Where a menu of a node opens: at the lower edge of what is in view of it, near its middle. In the pixels of the content's view; null: not drawn. */
  placeBelow(node: CallNodeIndex): { readonly x: number; readonly y: number } | null {
    const row = this.rowOf(node);
    if (row < 0) return null;
    const { left, top, width, height } = this.boxInContent(row);
    return { x: Math.max(0, left - this.layout.viewLeftPx) + Math.min(width / 2, MENU_PX), y: top + height };
  }

  /** Where the middle of a row is across the view, 0 … 1; null: beside it, or no row. */
  middleInView(row: number): number | null {
    const box = this.box(row);
    const { viewLeftPx, viewWidthPx } = this.layout;
    const share = box === null ? -1 : (box.left + box.width / 2 - viewLeftPx) / viewWidthPx;
    return share >= 0 && share <= 1 ? share : null;
  }

  /** In the pixels of the drawing; null for no row. */
  box(row: number): FrameBox | null {
    if (row < 0) return null;
    const { slice } = this.data;
    return { ...this.boxInContent(row), top: rowTop(this.layout, slice.depth[row]!) - this.topPx };
  }

  /** Where a frame begins, drawn or not, in the pixels of the drawing; null beside the zoomed root. `start`: weight left of it in the whole tree. */
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

  /** Of frames that only one side of a comparison has. */
  oneSided(): FrameBox[] {
    const { slice, deltas } = this.data;
    if (deltas === undefined) return [];
    const isOneSided = (row: number): boolean => (deltas.before[row] === 0) !== (deltas.after[row] === 0);
    return this.#boxesWhere((row) => slice.node[row]! >= 0 && isOneSided(row)).filter(
      ({ width }) => width >= MIN_OUTLINED_PX,
    );
  }

  /** Of fillers that are too narrow for hatching. */
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
