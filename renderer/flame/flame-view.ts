import type { CallNodeIndex } from '#core/model/brand.ts';
import { createCharacterMeter } from './character-width.ts';
import { createD3Chart, type D3Chart, type FlameScene } from './d3-chart.ts';
import { listenForGestures, type GestureHandlers } from './flame-gestures.ts';
import type { FlameSlice, FlameSource, ViewPoint } from './flame-graph.types.ts';
import {
  MAX_FRAMES,
  MIN_DRAWN_PX,
  MIN_FRAME_PX,
  contentHeight,
  depthAt,
  frameBox,
  rowTop,
  rowsToDraw,
  type FlameLayout,
  type FrameBox,
} from './flame-layout.ts';
import { FlameMotion } from './flame-motion.ts';
import { FlameScroll } from './flame-scroll.ts';
import { listenForPointer, type PointerHandlers } from './flame-pointer.ts';
import { createOverlay, type FlameOverlay } from './flame-overlay.ts';
import type { FlameViewElements, FlameViewEvents, FlameViewState } from './flame-view.types.ts';
import { frameDetail, type FrameDetail } from './frame-detail.ts';
import { rowAtPlace } from './slice-hit.ts';
import { firstStop, rowOfNode, walk, type WalkStep } from './slice-navigation.ts';
import {
  fitRange,
  panRange,
  partToDraw,
  rangeOf,
  rangeOfFiller,
  revealRange,
  sameRange,
  zoomRange,
  type DrawnPart,
  type WeightRange,
} from './weight-range.ts';

interface Drawn {
  readonly data: FlameSlice;
  readonly source: FlameSource;
  readonly rootNode: CallNodeIndex;
  /** Of the view when it was asked for. */
  readonly viewPx: number;
  readonly part: DrawnPart;
  readonly firstDepth: number;
  readonly depthCount: number;
}

/** A zoom that is drawn before whoever holds the state knows of it. */
interface ZoomAhead {
  readonly from: CallNodeIndex;
  readonly to: CallNodeIndex;
  /** To be called once, when it is on screen or has failed. */
  tell: (() => void) | null;
}

/** How far from the pointer a frame may be that is narrower than its tip. */
const POINTER_SLACK_PX = 1.5;

/** root: another tree or zoomed node. rest: what a gesture shows, and nothing while it goes on. view: all else. */
type AskReason = 'root' | 'rest' | 'view';

const withZoom = (state: FlameViewState, node: CallNodeIndex): FlameViewState => ({
  ...state,
  rootNode: node,
  range: null,
  selectedNode: node,
});

/** In a task of its own, when what was changed is on screen. */
function afterPaint(act: () => void): void {
  requestAnimationFrame(() => {
    setTimeout(act);
  });
}

/** The scrolled drawing: asks the source for what is in view, draws it, and says which frame the pointer is on. */
export class FlameView {
  readonly #elements: FlameViewElements;
  readonly #events: FlameViewEvents;
  readonly #rowPx: number;
  readonly #chart: D3Chart;
  readonly #overlay: FlameOverlay;
  readonly #scroll: FlameScroll;
  readonly #resize: ResizeObserver;
  readonly #listeners = new AbortController();
  #state: FlameViewState | null = null;
  #drawn: Drawn | null = null;
  #layout: FlameLayout | null = null;
  #layerTop = 0;
  #hoveredRow = -1;
  readonly #motion: FlameMotion;
  readonly #characterPx = createCharacterMeter();
  /** The filler that a walk stands on, as a row of the drawn slice; −1: none. */
  #fillerRow = -1;
  /** Number of the newest request; answers to older ones are dropped. */
  #request = 0;
  #waiting = false;
  #ahead: ZoomAhead | null = null;
  /** Without the zoom ahead. */
  #given: FlameViewState | null = null;

  constructor(elements: FlameViewElements, events: FlameViewEvents, rowPx: number) {
    this.#rowPx = rowPx;
    this.#elements = elements;
    this.#events = events;
    this.#chart = createD3Chart(elements.chart, rowPx);
    this.#overlay = createOverlay(elements.overlay);
    this.#scroll = new FlameScroll(elements.scroller, rowPx);
    this.#motion = new FlameMotion(elements.layer, { onFrame: () => this.#place(), onRest: () => this.#rest() });
    this.#resize = new ResizeObserver(() => this.#resized());
    this.#resize.observe(elements.scroller);
    this.#listen();
  }

  get drawn(): FlameSlice | null {
    return this.#drawn?.data ?? null;
  }

  /** Weight as wide as the narrowest frame that is drawn. */
  get minTotal(): number {
    if (this.#drawn === null || this.#drawn.part.widthPx <= 0) return 0;
    const { range, widthPx } = this.#drawn.part;
    return ((range.last - range.first) * MIN_FRAME_PX) / widthPx;
  }

  setState(given: FlameViewState): void {
    const before = this.#state;
    this.#given = given;
    if (given.rootNode !== this.#ahead?.from || given.source !== before?.source) this.#ahead = null;
    const next = this.#ahead === null ? given : withZoom(given, this.#ahead.to);
    this.#state = next;
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
    const redraw =
      before.orientation !== next.orientation ||
      before.matches !== next.matches ||
      before.colourOf !== next.colourOf ||
      before.matchColour !== next.matchColour ||
      before.theme !== next.theme ||
      before.format !== next.format;
    if (redraw) this.#draw();
    else if (before.selectedNode !== next.selectedNode || before.selectedFunction !== next.selectedFunction) {
      if (before.selectedNode !== next.selectedNode) this.#fillerRow = -1;
      this.#outline();
    }
  }

  /**
   * Draws a zoom at once, and then tells of it: what else follows from a click takes longer than the drawing. A later zoom tells of
   * this one first.
   */
  zoomTo(node: CallNodeIndex, tell: () => void): void {
    const state = this.#state;
    this.#tellAhead();
    if (state === null || node === state.rootNode) {
      tell();
      return;
    }
    this.#ahead = { from: state.rootNode, to: node, tell };
    this.#state = withZoom(state, node);
    this.#motion.jump(null);
    this.#ask('root');
  }

  #tellAhead(): void {
    const ahead = this.#ahead;
    if (ahead?.tell === null || ahead === null) return;
    const { tell } = ahead;
    ahead.tell = null;
    tell();
    afterPaint(() => {
      if (this.#ahead !== ahead || this.#given === null) return;
      // Whoever was told did not zoom.
      this.#ahead = null;
      this.setState(this.#given);
    });
  }

  /** The drawn frame that a node is, null where it is not drawn. */
  detailOf(node: CallNodeIndex | null): FrameDetail | null {
    const data = this.drawn;
    const row = data === null || node === null ? -1 : rowOfNode(data.slice, node);
    return data === null || row < 0 ? null : frameDetail(data, row);
  }

  /** The filler that a walk stands on. */
  get fillerDetail(): FrameDetail | null {
    return this.drawn === null || this.#fillerRow < 0 ? null : frameDetail(this.drawn, this.#fillerRow);
  }

  /** The frame one step from the selected one. With none selected: the selected function's widest frame, else the root's widest callee. */
  walk(step: WalkStep): FrameDetail | null {
    const data = this.drawn;
    if (data === null || this.#state === null) return null;
    const { selectedNode, selectedFunction } = this.#state;
    const selectedRow = selectedNode === null ? -1 : rowOfNode(data.slice, selectedNode);
    const from = this.#fillerRow < 0 ? selectedRow : this.#fillerRow;
    const row = from < 0 ? firstStop(data.slice, data.func, selectedFunction) : walk(data.slice, from, step);
    if (row === null || row < 0) return null;
    this.#fillerRow = data.slice.node[row]! < 0 ? row : -1;
    this.#outline();
    const first = data.slice.start[row]!;
    this.#moveTo((range, total) => revealRange(range, total, { first, last: first + data.slice.total[row]! }));
    return frameDetail(data, row);
  }

  /** Ends a gesture that has not come to rest: what follows starts from where it is. */
  settle(): void {
    this.#motion.settle();
  }

  /** About the selected frame where it is in view, else about the middle. `factor` above 1 zooms in. */
  zoomBy(factor: number): void {
    const box = this.#selectedBox();
    const { viewLeftPx = 0, viewWidthPx = 1 } = this.#layout ?? {};
    const share = box === null ? 0.5 : (box.left + box.width / 2 - viewLeftPx) / viewWidthPx;
    this.#moveTo((range, total) => zoomRange(range, total, share >= 0 && share <= 1 ? share : 0.5, factor));
  }

  /** To the right, by a share of the width. */
  panBy(share: number): void {
    this.#moveTo((range, total) => panRange(range, total, share));
  }

  /** As weights of the whole tree. */
  get viewport(): WeightRange {
    const data = this.drawn;
    if (data === null) return { first: 0, last: this.#state?.source.totalWeight ?? 0 };
    const { first, last } = rangeOf(this.#motion.range, data.rootTotal);
    return { first: data.rootStart + first, last: data.rootStart + last };
  }

  /** Moves like a gesture to a part of the whole tree, as far as the zoomed root holds it. */
  show(first: number, last: number): void {
    const start = this.drawn?.rootStart ?? 0;
    this.#moveTo((_, total) => fitRange({ first: first - start, last: last - start }, total));
  }

  /** Where a filler's frames can be seen, as a part of the zoomed root. */
  rangeOf(filler: FrameDetail, share: number): WeightRange | null {
    const first = filler.start ?? 0;
    const view = rangeOf(this.#motion.range, filler.rootTotal);
    return rangeOfFiller({ first, last: first + filler.total }, view, filler.rootTotal, share);
  }

  /** Scrolls a row into view, with a neighbour on either side. */
  revealDepth(depth: number): void {
    if (this.#layout === null) return;
    this.#scroll.reveal(this.#layout, depth);
    this.#cover();
  }

  /** Middle of a drawn node in the window, for menus opened by key. */
  pointOf(node: CallNodeIndex): ViewPoint | null {
    const row = this.#drawn === null ? -1 : rowOfNode(this.#drawn.data.slice, node);
    if (row < 0 || this.#layout === null) return null;
    const box = frameBox(this.#layout, this.#drawn!.data.slice, row);
    const origin = this.#elements.content.getBoundingClientRect();
    const left = Math.max(0, box.left - this.#layout.viewLeftPx);
    return { x: origin.left + left + Math.min(box.width / 2, 120), y: origin.top + box.top + box.height };
  }

  dispose(): void {
    this.#request += 1;
    this.#listeners.abort();
    this.#resize.disconnect();
    this.#motion.dispose();
    this.#chart.destroy();
    this.#elements.overlay.textContent = '';
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
      hover: (point, whole) => this.#hover(point === null ? -1 : this.#rowAt(point), point, whole),
      click: (point) => {
        const row = this.#rowAt(point);
        const box = content.getBoundingClientRect();
        if (row >= 0) this.#events.onClick(frameDetail(this.drawn!, row), (point.x - box.left) / box.width);
      },
      menu: (point) => {
        const row = this.#rowAt(point);
        if (row >= 0) this.#events.onContextMenu(frameDetail(this.drawn!, row), point);
        return row >= 0;
      },
    };
    listenForPointer(content, pointer, signal);
  }

  /** The row of the drawn slice that is drawn, or would be, at a point of the window; −1: none. */
  #rowAt({ x, y }: ViewPoint): number {
    if (this.#drawn === null || this.#layout === null) return -1;
    const { data } = this.#drawn;
    const { content } = this.#elements;
    const box = content.getBoundingClientRect();
    const { first, last } = rangeOf(this.#motion.range, data.rootTotal);
    const weightPerPx = (last - first) / box.width;
    // Nobody scrolls it sideways but a browser that shows what it found in the page.
    const weight = first + (x - box.left + content.scrollLeft) * weightPerPx;
    return rowAtPlace(data.slice, depthAt(this.#layout, y - box.top), weight, POINTER_SLACK_PX * weightPerPx);
  }

  #hover(row: number, point: ViewPoint | null, whole = false): void {
    if (row < 0 && this.#hoveredRow < 0) return;
    if (row !== this.#hoveredRow) {
      this.#hoveredRow = row;
      this.#overlay.showHovered(row < 0 ? null : this.#boxInLayer(row));
    }
    const detail = row < 0 || this.#drawn === null ? null : frameDetail(this.#drawn.data, row);
    this.#events.onHover(detail, point ?? { x: 0, y: 0 }, whole);
  }

  /** Stretches what is drawn at once; asks for more when it rests. */
  #moveTo(change: (range: WeightRange, total: number) => WeightRange | null): void {
    const state = this.#state;
    if (this.#drawn?.source !== state?.source || this.#drawn?.rootNode !== state?.rootNode || !this.#drawn) return;
    if (this.#motion.step(change, this.#drawn.data.rootTotal)) this.#hover(-1, null);
  }

  #rest(): void {
    this.#events.onRange(this.#motion.range);
    this.#ask('rest');
  }

  /** Puts the drawn part where the view is. */
  #place(): void {
    if (this.#drawn === null) return;
    const { part, viewPx, data } = this.#drawn;
    const view = this.#motion.place({ part, viewPx, rootTotal: data.rootTotal, topPx: this.#layerTop });
    this.#events.onViewport(data.rootStart + view.first, data.rootStart + view.last);
  }

  #resized(): void {
    if (this.#state === null) return;
    if (this.#drawn === null || this.#drawn.viewPx !== this.#elements.content.clientWidth) this.#ask('view');
    else this.#draw();
    this.#cover();
  }

  #scrolled(): void {
    if (this.#layout === null) return;
    this.#scroll.read(this.#layout);
    this.#hover(-1, null);
    this.#cover();
  }

  /** Asks for the rows in view where they are not drawn. One request at a time: the next follows from its answer. */
  #cover(): void {
    if (this.#drawn === null || this.#waiting) return;
    const view = this.#scroll.rows();
    const lastRow = Math.min(view.firstDepth + view.depthCount, this.#drawn.data.slice.maxDepth + 1);
    const drawnEnd = this.#drawn.firstDepth + this.#drawn.depthCount;
    if (view.firstDepth < this.#drawn.firstDepth || lastRow > drawnEnd) this.#ask('view');
  }

  #ask(reason: AskReason): void {
    const state = this.#state;
    const viewPx = this.#elements.content.clientWidth;
    const viewport = this.#elements.scroller.clientHeight;
    if (state === null || viewPx <= 0 || viewport <= 0) return;
    const rows = rowsToDraw(this.#scroll.rows(reason === 'root'));
    const { range } = this.#motion;
    const isSameRoot = this.#drawn?.source === state.source && this.#drawn.rootNode === state.rootNode;
    const rootTotal = isSameRoot ? this.#drawn!.data.rootTotal : null;
    const part = range === null ? null : partToDraw(range, rootTotal ?? range.last, viewPx);
    const window = part === null ? {} : { firstWeight: part.range.first, lastWeight: part.range.last };
    const request = (this.#request += 1);
    this.#waiting = true;
    const limits = { widthPx: part?.widthPx ?? viewPx, minWidthPx: MIN_FRAME_PX, maxFrames: MAX_FRAMES };
    state.source.requestSlice({ root: state.rootNode, ...limits, ...rows, ...window }).then(
      (data) => {
        if (request !== this.#request) return;
        this.#waiting = false;
        if (reason === 'rest' && this.#motion.isMoving) return;
        if (reason === 'root') this.#scroll.toRoot();
        const drawn = part ?? partToDraw(null, data.rootTotal, viewPx);
        this.#drawn = { data, source: state.source, rootNode: state.rootNode, viewPx, part: drawn, ...rows };
        this.#fillerRow = -1;
        this.#draw();
        this.#cover();
        if (reason === 'root') afterPaint(() => this.#tellAhead());
      },
      (error: unknown) => {
        if (request !== this.#request) return;
        this.#waiting = false;
        this.#tellAhead();
        this.#events.onError(error instanceof Error ? error.message : String(error));
      },
    );
  }

  #draw(): void {
    const { scroller, content, chart, overlay } = this.#elements;
    if (this.#drawn === null || this.#state === null) return;
    const { data, part, viewPx } = this.#drawn;
    const { orientation } = this.#state;
    const heightPx = contentHeight(data.slice.maxDepth, scroller.clientHeight, this.#rowPx);
    const { range, widthPx, leftPx } = part;
    const view = { viewLeftPx: leftPx, viewWidthPx: viewPx };
    this.#layout = { orientation, widthPx, range, ...view, heightPx, rootTotal: data.rootTotal, rowPx: this.#rowPx };
    content.style.height = `${heightPx}px`;
    const characterPx = this.#characterPx(chart);
    const scene: FlameScene = { ...this.#state, data, layout: this.#layout, characterPx };
    this.#layerTop = this.#chart.draw(scene);
    this.#place();
    overlay.setAttribute('width', String(widthPx));
    this.#overlay.showSlivers(this.#slivers());
    this.#hoveredRow = -1;
    this.#overlay.showHovered(null);
    this.#events.onHover(null, { x: 0, y: 0 }, false);
    this.#outline();
    this.#scroll.apply(this.#layout);
    this.#events.onDrawn(data);
  }

  #outline(): void {
    if (this.#drawn === null || this.#state === null) return;
    const { slice } = this.#drawn.data;
    const { func } = this.#drawn.data;
    const { selectedFunction } = this.#state;
    const same: number[] = [];
    if (selectedFunction !== null) {
      for (let row = 0; row < slice.length; row++) if (func[row] === selectedFunction) same.push(row);
    }
    this.#overlay.showSame(same.map((row) => this.#boxInLayer(row)));
    this.#overlay.showSelected(this.#selectedBox());
  }

  /** Of fillers that d3-flame-graph leaves out. */
  #slivers(): FrameBox[] {
    const { slice } = this.#drawn!.data;
    const boxes = Array.from(slice.node.keys(), (row) => (slice.node[row]! < 0 ? this.#boxInLayer(row) : null));
    return boxes.filter((box): box is FrameBox => box !== null && box.width < MIN_DRAWN_PX);
  }

  /** Of the filler that a walk stands on, else of the selected node; null where neither is drawn. */
  #selectedBox() {
    const node = this.#state?.selectedNode ?? null;
    const row =
      this.#fillerRow >= 0 || node === null || !this.#drawn ? this.#fillerRow : rowOfNode(this.#drawn.data.slice, node);
    return row < 0 ? null : this.#boxInLayer(row);
  }

  #boxInLayer(row: number) {
    const { slice } = this.#drawn!.data;
    const box = frameBox(this.#layout!, slice, row);
    return { ...box, top: rowTop(this.#layout!, slice.depth[row]!) - this.#layerTop };
  }
}
