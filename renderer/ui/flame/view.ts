import type { CallNodeIndex } from '#core/model/brand.ts';
import { AfterDrawing, afterPresented } from './chart/after-paint.ts';
import { changeAttribute } from './chart/change-attribute.ts';
import { createCharacterMeter } from './chart/frame-label.ts';
import { createD3Chart, type D3Chart } from './chart/d3-chart.ts';
import { DrawnSlice, layoutOf, sliceRequest, type SliceAnswer } from './chart/drawn-slice.ts';
import { listenForGestures, listenForPointer, type GestureHandlers, type PointerHandlers } from './input/gestures.ts';
import type { ViewPoint } from './graph.types.ts';
import { rowsToDraw } from './chart/layout.ts';
import { isDrawnDifferently, type FlameViewElements, type LatestEvents, type FlameViewState } from './view.types.ts';
import { FlameAxis } from './chart/axis.ts';
import { FlameMarks } from './chart/marks.ts';
import { FlameMotion } from './input/motion.ts';
import { FlameScroll } from './input/scroll.ts';
import type { FrameDetail } from './tooltip/frame-detail.ts';
import { firstStop, walk, type WalkStep } from './input/slice-navigation.ts';
import { FlameHover } from './input/hover.ts';
import { NO_HIT, type SliceHit } from './input/slice-hit.ts';
import { lineageOf } from './lineage.ts';
import { SliceRequests } from './slice-requests.ts';
import {
  fitRange,
  panRange,
  partToDraw,
  rangeOf,
  rangeOfFiller,
  revealRange,
  sameRange,
  zoomRange,
  type WeightRange,
} from '../../../core/analyze/graph/weight-range.ts';
import { ZoomAhead } from './zoom-ahead.ts';

/**
 * Why a slice is requested. `root`: another tree or zoomed node; `rest`: the result of a gesture, dropped while it
 * continues; `view`: everything else.
 */
type AskReason = 'root' | 'rest' | 'view';

/**
 * The scrolled drawing. Requests the visible part from the source, draws it, and reports the frame under the pointer.
 */
export class FlameView {
  readonly #elements: FlameViewElements;
  readonly #events: LatestEvents;
  readonly #rowPx: number;
  readonly #chart: D3Chart;
  /** Also marks frames highlighted elsewhere and missing ones. */
  readonly marks: FlameMarks;
  readonly #axis: FlameAxis;
  readonly #scroll: FlameScroll;
  readonly #resize = new ResizeObserver(() => this.#resized());
  readonly #listeners = new AbortController();
  #state: FlameViewState | null = null;
  #drawn: DrawnSlice | null = null;
  readonly #hover: FlameHover;
  /** A click during an update of a growing tree. */
  #deferred: (() => void) | null = null;
  readonly #motion: FlameMotion;
  readonly #characterPx = createCharacterMeter();
  /** The filler selected by keyboard, as a row of the drawn slice; −1 if none. */
  #fillerRow = -1;
  readonly #ahead = new ZoomAhead((given) => this.setState(given));
  readonly #requests = new SliceRequests();
  readonly #after: AfterDrawing;

  constructor(elements: FlameViewElements, events: LatestEvents, rowPx: number) {
    this.#rowPx = rowPx;
    this.#elements = elements;
    this.#events = events;
    this.#chart = createD3Chart(elements.chart, rowPx);
    this.#after = new AfterDrawing(this.#chart, (data) => this.#events.current.onDrawn(data));
    this.marks = new FlameMarks(elements.overlay);
    this.#hover = new FlameHover({
      onRow: (row) => {
        this.marks.hover(row);
        this.#requests.pointAt(this.#drawn?.zoomOf(row, rowsToDraw(this.#scroll.rows(true))) ?? null);
      },
      onHover: (detail, point, whole) => this.#events.current.onHover(detail, point, whole),
    });
    this.#axis = new FlameAxis(elements.ticks, elements.grid);
    this.#scroll = new FlameScroll(elements.scroller, rowPx, (rows) => this.#events.current.onRows(rows));
    this.#motion = new FlameMotion(elements.layer, { onFrame: () => this.#place(), onRest: () => this.#rest() });
    this.#resize.observe(elements.scroller);
    this.#listen();
  }

  /** Returns the weight of the narrowest frame that is drawn. */
  get minTotal(): number {
    return this.#drawn?.minTotal ?? 0;
  }

  setState(given: FlameViewState): void {
    const before = this.#state;
    const next = this.#ahead.apply(given, before);
    this.#state = next;
    if (before !== null && before.source !== next.source && lineageOf(before.source, next.source) !== undefined) {
      if (!this.#motion.isMoving) this.#motion.jump(next.range);
      this.#ask('view');
      return;
    }
    if (before === null || before.source !== next.source || before.rootNode !== next.rootNode) {
      this.#motion.jump(next.range);
      this.#ask('root');
      return;
    }
    const isElsewhere = !sameRange(before.range, next.range) && !sameRange(this.#motion.range, next.range);
    if (isElsewhere && !this.#motion.isMoving) {
      this.#motion.jump(next.range);
      this.#ask('view');
    }
    if (this.#drawn === null) return;
    if (isDrawnDifferently(before, next)) this.#draw(this.#drawn.answer);
    else if (before.selectedNode !== next.selectedNode || before.selectedFunction !== next.selectedFunction) {
      if (before.selectedNode !== next.selectedNode) this.#fillerRow = -1;
      this.#outline();
    }
  }

  /** Draws a zoom immediately, then calls `tell`. */
  zoomTo(node: CallNodeIndex, tell: () => Promise<void> | void): void {
    if (this.#state === null || node === this.#state.rootNode) return this.#ahead.tellAlso(tell);
    this.#state = this.#ahead.begin(node, this.#state, tell);
    this.#motion.jump(null);
    this.#ask('root');
  }

  /** Scrolls together with another graph. */
  scrollTo(rootDistancePx: number): void {
    if (this.#drawn === null || !this.#scroll.to(this.#drawn.layout, rootDistancePx)) return;
    this.#hover.clear();
    this.#cover();
  }

  /** Returns the details of a node; null if it is not drawn. */
  detailOf(node: CallNodeIndex | null): FrameDetail | null {
    return this.#drawn?.detail(this.#drawn.rowOf(node)) ?? null;
  }

  /** Returns the filler selected by keyboard. */
  get fillerDetail(): FrameDetail | null {
    return this.#drawn?.detail(this.#fillerRow) ?? null;
  }

  /**
   * Returns the frame one step from the selected one. If none is selected, returns the selected function's widest
   * frame, else the root's widest callee.
   */
  walk(step: WalkStep): FrameDetail | null {
    if (this.#drawn === null || this.#state === null) return null;
    const { data } = this.#drawn;
    const { selectedNode, selectedFunction } = this.#state;
    const from = this.#fillerRow < 0 ? this.#drawn.rowOf(selectedNode) : this.#fillerRow;
    const row = from < 0 ? firstStop(data.slice, data.func, selectedFunction) : walk(data.slice, from, step);
    if (row === null || row < 0) return null;
    this.#fillerRow = data.slice.node[row]! < 0 ? row : -1;
    this.#outline();
    const first = data.slice.start[row]!;
    this.#moveTo((range, total) => revealRange(range, total, { first, last: first + data.slice.total[row]! }));
    return this.#drawn.detail(row);
  }

  /** Ends a running gesture and reports a pending zoom, so that the next action starts from there. */
  settle(): void {
    this.#ahead.tell();
    this.#motion.settle();
  }

  /** Zooms around the selected frame if it is visible, else around the middle. A `factor` above 1 zooms in. */
  zoomBy(factor: number): void {
    const share = this.#drawn?.middleInView(this.#selectedRow()) ?? 0.5;
    this.#moveTo((range, total) => zoomRange(range, total, share, factor));
  }

  /** Pans to the right by a fraction of the width. */
  panBy(share: number): void {
    this.#moveTo((range, total) => panRange(range, total, share));
  }

  /** Returns the visible range as weights of the whole tree. */
  get viewport(): WeightRange {
    if (this.#drawn === null) return { first: 0, last: this.#state?.source.scale ?? 0 };
    const { rootScale, rootStart } = this.#drawn.data;
    const { first, last } = rangeOf(this.#motion.range, rootScale);
    return { first: rootStart + first, last: rootStart + last };
  }

  /** Moves to a range of the whole tree as a gesture does, limited to the zoomed root. */
  show(first: number, last: number): void {
    const start = this.#drawn?.data.rootStart ?? 0;
    this.#moveTo((_, total) => fitRange({ first: first - start, last: last - start }, total));
  }

  /** Returns a range of the zoomed root in which a filler's frames are wide enough to be drawn. */
  rangeOf(filler: FrameDetail, share: number): WeightRange | null {
    const first = filler.start ?? 0;
    const scale = this.#drawn?.data.rootScale ?? filler.rootTotal;
    return rangeOfFiller({ first, last: first + filler.total }, rangeOf(this.#motion.range, scale), scale, share);
  }

  /** Scrolls a row into view, with a neighbour on either side. */
  revealDepth(depth: number): void {
    if (this.#drawn === null) return;
    this.#scroll.reveal(this.#drawn.layout, depth);
    this.#events.current.onScroll(this.#scroll.rootDistancePx);
    this.#cover();
  }

  /** Returns where the menu of a drawn node opens in the window, for menus opened by keyboard. */
  pointOf(node: CallNodeIndex): ViewPoint | null {
    const place = this.#drawn?.placeBelow(node) ?? null;
    const origin = this.#elements.content.getBoundingClientRect();
    return place === null ? null : { x: origin.left + place.x, y: origin.top + place.y };
  }

  dispose(): void {
    this.#requests.dispose();
    this.#after.follow(null);
    this.#listeners.abort();
    this.#resize.disconnect();
    this.#motion.dispose();
    this.#chart.destroy();
    this.marks.dispose();
    this.#axis.dispose();
    this.#drawn = null;
  }

  #listen(): void {
    const { scroller, content } = this.#elements;
    const { signal } = this.#listeners;
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true, signal });
    const gestures: GestureHandlers = {
      zoom: (share, factor) => this.#moveTo((range, total) => zoomRange(range, total, share, factor)),
      pan: (share) => this.panBy(share),
      scroll: (px) => scroller.scrollBy(0, px),
    };
    listenForGestures(content, gestures, signal);
    const pointer: PointerHandlers = {
      hover: (point, whole) => this.#hover.point(point && { point, whole }, (at) => this.#hitAt(at)),
      click: (point, away) => this.#whenShown(() => this.#click(point, away)),
      pin: (id) => this.#events.current.onPin(id),
      menu: (point) => {
        const { detail } = this.#hitAt(point);
        if (detail === null) return false;
        this.#hover.rest();
        this.#whenShown(() => {
          const now = this.#hitAt(point).detail;
          if (now !== null) this.#events.current.onContextMenu(now, point);
        });
        return true;
      },
    };
    listenForPointer(content, pointer, signal);
    // What the user does next, anywhere, is about the frame that was clicked, even if its zoom is not drawn yet.
    for (const type of ['keydown', 'pointerdown'])
      window.addEventListener(type, () => this.#ahead.tell(), { capture: true, signal });
  }

  /** Returns what is drawn at a point of the window. */
  #hitAt({ x, y }: ViewPoint): SliceHit {
    if (this.#drawn === null) return NO_HIT;
    const { content } = this.#elements;
    const box = content.getBoundingClientRect();
    const { first, last } = rangeOf(this.#motion.range, this.#drawn.data.rootScale);
    const weightPerPx = (last - first) / box.width;
    // The content scrolls sideways only when the browser reveals a result of its page search.
    const weight = first + (x - box.left + content.scrollLeft) * weightPerPx;
    return this.#drawn.hitAt(y - box.top, weight, weightPerPx);
  }

  #click(point: ViewPoint, away: boolean): void {
    const { detail } = this.#hitAt(point);
    const box = this.#elements.content.getBoundingClientRect();
    if (detail !== null) this.#events.current.onClick(detail, (point.x - box.left) / box.width, away);
  }

  /** Acts once the drawing shows the tree that has grown, because the nodes of the previous one mean others in it. */
  #whenShown(act: () => void): void {
    const { source } = this.#drawn?.answer ?? {};
    if (source?.lineage === undefined || source === this.#state?.source) act();
    else this.#deferred = act;
  }

  /** Stretches the drawing immediately; a new one is requested when the gesture rests. */
  #moveTo(change: (range: WeightRange, total: number) => WeightRange | null): void {
    if (!this.#showsState() || this.#drawn === null) return;
    if (this.#motion.step(change, this.#drawn.data.rootScale)) this.#hover.clear();
  }

  /** Returns whether the drawing shows the current tree and zoomed node. */
  #showsState(): boolean {
    const { source, request } = this.#drawn?.answer ?? {};
    return this.#state !== null && source === this.#state.source && request?.root === this.#state.rootNode;
  }

  #rest(): void {
    this.#events.current.onRange(this.#motion.range);
    this.#ask('rest');
  }

  /** Moves the drawing to the visible range. */
  #place(): void {
    if (this.#drawn === null) return;
    const { data, answer, topPx } = this.#drawn;
    const view = this.#motion.place({ part: answer.part, viewPx: answer.viewPx, rootScale: data.rootScale, topPx });
    this.#axis.place(view);
    this.#events.current.onViewport(data.rootStart + view.first, data.rootStart + view.last);
  }

  #resized(): void {
    if (this.#state === null) return;
    const { answer } = this.#drawn ?? {};
    if (answer?.viewPx !== this.#elements.content.clientWidth) this.#ask('view');
    else this.#draw(answer);
    this.#cover();
  }

  #scrolled(): void {
    if (this.#drawn === null) return;
    if (this.#scroll.read(this.#drawn.layout)) this.#events.current.onScroll(this.#scroll.rootDistancePx);
    this.#hover.clear();
    this.#cover();
  }

  /** Requests visible rows that are not drawn. Only one request is pending; its answer triggers the next. */
  #cover(): void {
    if (this.#drawn === null || this.#requests.waiting) return;
    const view = this.#scroll.rows();
    const { data, request } = this.#drawn.answer;
    const lastRow = Math.min(view.firstDepth + view.depthCount, data.slice.maxDepth + 1);
    if (view.firstDepth < request.firstDepth || lastRow > request.firstDepth + request.depthCount) this.#ask('view');
  }

  #ask(reason: AskReason): void {
    const state = this.#state;
    const viewPx = this.#elements.content.clientWidth;
    // There is nothing to draw on, but a pending zoom must still be reported.
    if (state === null || viewPx <= 0 || this.#elements.scroller.clientHeight <= 0) return this.#ahead.tell();
    const rows = rowsToDraw(this.#scroll.rows(reason === 'root'));
    const { range } = this.#motion;
    const rootScale = this.#showsState() ? this.#drawn!.data.rootScale : null;
    const part = range === null ? null : partToDraw(range, rootScale ?? range.last, viewPx);
    const request = sliceRequest(state.rootNode, part, viewPx, rows);
    this.#requests.ask(state.source, request, part === null, {
      show: (data) => {
        if (reason === 'rest' && this.#motion.isMoving) return;
        if (reason === 'root') this.#scroll.toRoot();
        this.#fillerRow = -1;
        const { source } = state;
        this.#draw({ data, source, request, viewPx, part: part ?? partToDraw(null, data.rootScale, viewPx) });
        if (data.isFirstPart === true) return this.#ask('view');
        if (this.#showsState()) this.#setBusy(false);
        this.#cover();
        this.#deferred?.();
        this.#deferred = null;
        afterPresented(() => this.#ahead.tell());
      },
      fail: (message) => {
        this.#setBusy(false);
        this.#ahead.tell();
        this.#events.current.onError(message);
      },
    });
    if (reason === 'root' && this.#requests.waiting) this.#setBusy(true);
  }

  /** Marks the graph as busy while the drawing shows the previous tree or zoom. */
  #setBusy(isBusy: boolean): void {
    changeAttribute(this.#elements.scroller, 'aria-busy', String(isBusy));
  }

  #draw(answer: SliceAnswer): void {
    const { scroller, content, chart } = this.#elements;
    if (this.#state === null) return;
    const layout = layoutOf(answer, this.#state.orientation, scroller.clientHeight, this.#rowPx);
    content.style.height = `${layout.heightPx}px`;
    const characterPx = this.#characterPx(chart);
    const isMoved = this.#drawn?.isOfGraph(answer, layout) === true;
    const topPx = this.#chart.draw({ ...this.#state, data: answer.data, layout, characterPx }, isMoved);
    const before = this.#drawn;
    this.#drawn = new DrawnSlice(answer, layout, topPx);
    this.#after.follow(this.#drawn);
    this.#axis.follow(this.#drawn, this.#state.axis, characterPx);
    this.#place();
    this.marks.follow(this.#drawn, characterPx);
    this.#outline();
    this.#scroll.apply(layout);
    this.#hover.follow(before, this.#drawn, (point) => this.#hitAt(point));
  }

  #outline(): void {
    if (this.#state !== null) this.marks.select(this.#selectedRow(), this.#state.selectedFunction);
  }

  /** Returns the row of the filler selected by keyboard, else of the selected node; −1 if neither is drawn. */
  #selectedRow(): number {
    if (this.#fillerRow >= 0 || this.#drawn === null) return this.#fillerRow;
    return this.#drawn.rowOf(this.#state?.selectedNode ?? null);
  }
}
