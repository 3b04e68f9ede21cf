import type { CallNodeIndex } from '#core/model/brand.ts';
import { createD3Chart, type D3Chart, type FlameScene } from './d3-chart.ts';
import type { FlameSlice, FlameSource, ViewPoint } from './flame-graph.types.ts';
import {
  MAX_FRAMES,
  MIN_FRAME_PX,
  ROW_PX,
  contentHeight,
  frameBox,
  rootDistance,
  rowTop,
  rowsInView,
  rowsToDraw,
  scrollTopFor,
  type FlameLayout,
} from './flame-layout.ts';
import { createOverlay, type FlameOverlay } from './flame-overlay.ts';
import type { FlameViewElements, FlameViewEvents, FlameViewState } from './flame-view.types.ts';
import { frameDetail, type FrameDetail } from './frame-detail.ts';
import { firstStop, rowOfNode, walk, type WalkStep } from './slice-navigation.ts';

interface Drawn {
  readonly data: FlameSlice;
  readonly source: FlameSource;
  readonly rootNode: CallNodeIndex;
  readonly widthPx: number;
  readonly firstDepth: number;
  readonly depthCount: number;
}

/** The scrolled drawing: asks the source for what is in view, draws it, and says which frame the pointer is on. */
export class FlameView {
  readonly #elements: FlameViewElements;
  readonly #events: FlameViewEvents;
  readonly #chart: D3Chart;
  readonly #overlay: FlameOverlay;
  readonly #resize: ResizeObserver;
  readonly #listeners = new AbortController();
  #state: FlameViewState | null = null;
  #drawn: Drawn | null = null;
  #layout: FlameLayout | null = null;
  #layerTop = 0;
  #rootDistance = 0;
  #hoveredRow = -1;
  /** Number of the newest request; answers to older ones are dropped. */
  #request = 0;
  #waiting = false;

  constructor(elements: FlameViewElements, events: FlameViewEvents) {
    this.#elements = elements;
    this.#events = events;
    this.#chart = createD3Chart(elements.chart);
    this.#overlay = createOverlay(elements.overlay);
    this.#resize = new ResizeObserver(() => this.#resized());
    this.#resize.observe(elements.scroller);
    this.#listen();
  }

  get drawn(): FlameSlice | null {
    return this.#drawn?.data ?? null;
  }

  /** Weight as wide as the narrowest frame that is drawn. */
  get minTotal(): number {
    const { data, widthPx } = this.#drawn ?? {};
    return data === undefined || !widthPx ? 0 : (data.rootTotal * MIN_FRAME_PX) / widthPx;
  }

  setState(next: FlameViewState): void {
    const before = this.#state;
    this.#state = next;
    if (before === null || before.source !== next.source || before.rootNode !== next.rootNode) {
      this.#ask(true);
      return;
    }
    if (this.#drawn === null) return;
    const redraw =
      before.orientation !== next.orientation ||
      before.matches !== next.matches ||
      before.colourOf !== next.colourOf ||
      before.theme !== next.theme ||
      before.format !== next.format;
    if (redraw) this.#draw();
    else if (before.selectedNode !== next.selectedNode || before.selectedFunction !== next.selectedFunction) {
      this.#outline();
    }
  }

  /** The drawn frame that a node is, null where it is not drawn. */
  detailOf(node: CallNodeIndex | null): FrameDetail | null {
    const data = this.drawn;
    const row = data === null || node === null ? -1 : rowOfNode(data.slice, node);
    return data === null || row < 0 ? null : frameDetail(data, row);
  }

  /** The frame one step from the selected one. With none selected: the selected function's widest frame, else the root's widest callee. */
  walk(step: WalkStep): FrameDetail | null {
    const data = this.drawn;
    if (data === null || this.#state === null) return null;
    const { selectedNode, selectedFunction } = this.#state;
    const from = selectedNode === null ? -1 : rowOfNode(data.slice, selectedNode);
    const row = from < 0 ? firstStop(data.slice, data.func, selectedFunction) : walk(data.slice, from, step);
    return row === null || row < 0 ? null : frameDetail(data, row);
  }

  /** Scrolls a row into view, with a neighbour on either side. */
  revealDepth(depth: number): void {
    const near = (depth - 1) * ROW_PX;
    const far = (depth + 2) * ROW_PX;
    const viewport = this.#elements.scroller.clientHeight;
    if (near < this.#rootDistance) this.#scrollTo(Math.max(0, near));
    else if (far > this.#rootDistance + viewport) this.#scrollTo(far - viewport);
  }

  /** Middle of a drawn node in the window, for menus opened by key. */
  pointOf(node: CallNodeIndex): ViewPoint | null {
    const row = this.#drawn === null ? -1 : rowOfNode(this.#drawn.data.slice, node);
    if (row < 0 || this.#layout === null) return null;
    const box = frameBox(this.#layout, this.#drawn!.data.slice, row);
    const origin = this.#elements.content.getBoundingClientRect();
    return { x: origin.left + box.left + Math.min(box.width / 2, 120), y: origin.top + box.top + box.height };
  }

  dispose(): void {
    this.#request += 1;
    this.#listeners.abort();
    this.#resize.disconnect();
    this.#chart.destroy();
    this.#elements.overlay.textContent = '';
    this.#drawn = null;
  }

  #listen(): void {
    const { scroller, content } = this.#elements;
    const { signal } = this.#listeners;
    const point = (event: MouseEvent) => ({ x: event.clientX, y: event.clientY });
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true, signal });
    content.addEventListener('pointermove', (event) => this.#hover(this.#chart.rowAt(event.target), point(event)), {
      signal,
    });
    content.addEventListener('pointerleave', (event) => this.#hover(-1, point(event)), { signal });
    content.addEventListener(
      'click',
      (event) => {
        const detail = this.#detailAt(event.target);
        if (detail !== null) this.#events.onClick(detail);
      },
      { signal },
    );
    content.addEventListener(
      'contextmenu',
      (event) => {
        const detail = this.#detailAt(event.target);
        if (detail === null) return;
        event.preventDefault();
        this.#events.onContextMenu(detail, point(event));
      },
      { signal },
    );
  }

  #detailAt(target: EventTarget | null): FrameDetail | null {
    const row = this.#chart.rowAt(target);
    return row < 0 || this.#drawn === null ? null : frameDetail(this.#drawn.data, row);
  }

  #hover(row: number, point: ViewPoint): void {
    if (row < 0 && this.#hoveredRow < 0) return;
    if (row !== this.#hoveredRow) {
      this.#hoveredRow = row;
      this.#overlay.showHovered(row < 0 ? null : this.#boxInLayer(row));
    }
    this.#events.onHover(row < 0 || this.#drawn === null ? null : frameDetail(this.#drawn.data, row), point);
  }

  #resized(): void {
    if (this.#state === null) return;
    if (this.#drawn === null || this.#drawn.widthPx !== this.#elements.content.clientWidth) this.#ask(false);
    else this.#draw();
    this.#cover();
  }

  #scrolled(): void {
    const { scroller, content } = this.#elements;
    if (this.#layout === null) return;
    this.#rootDistance = rootDistance(this.#layout.orientation, {
      top: scroller.scrollTop,
      viewport: scroller.clientHeight,
      content: content.clientHeight,
    });
    this.#hover(-1, { x: 0, y: 0 });
    this.#cover();
  }

  #scrollTo(distance: number): void {
    this.#rootDistance = distance;
    this.#applyScroll();
    this.#cover();
  }

  #applyScroll(): void {
    const { scroller } = this.#elements;
    if (this.#layout === null) return;
    scroller.scrollTop = scrollTopFor(this.#layout.orientation, {
      rootDistance: this.#rootDistance,
      viewport: scroller.clientHeight,
      content: this.#layout.heightPx,
    });
  }

  /** Asks for the rows in view where they are not drawn. One request at a time: the next follows from its answer. */
  #cover(): void {
    if (this.#drawn === null || this.#waiting) return;
    const view = rowsInView(this.#rootDistance, this.#elements.scroller.clientHeight);
    const lastRow = Math.min(view.firstDepth + view.depthCount, this.#drawn.data.slice.maxDepth + 1);
    const drawnEnd = this.#drawn.firstDepth + this.#drawn.depthCount;
    if (view.firstDepth < this.#drawn.firstDepth || lastRow > drawnEnd) this.#ask(false);
  }

  #ask(fromRoot: boolean): void {
    const state = this.#state;
    const widthPx = this.#elements.content.clientWidth;
    const viewport = this.#elements.scroller.clientHeight;
    if (state === null || widthPx <= 0 || viewport <= 0) return;
    const distance = fromRoot ? 0 : this.#rootDistance;
    const rows = rowsToDraw(rowsInView(distance, viewport));
    const request = (this.#request += 1);
    this.#waiting = true;
    const limits = { widthPx, minWidthPx: MIN_FRAME_PX, maxFrames: MAX_FRAMES };
    state.source.requestSlice({ root: state.rootNode, ...limits, ...rows }).then(
      (data) => {
        if (request !== this.#request) return;
        this.#waiting = false;
        if (fromRoot) this.#rootDistance = 0;
        this.#drawn = { data, source: state.source, rootNode: state.rootNode, widthPx, ...rows };
        this.#draw();
        this.#cover();
      },
      (error: unknown) => {
        if (request !== this.#request) return;
        this.#waiting = false;
        this.#events.onError(error instanceof Error ? error.message : String(error));
      },
    );
  }

  #draw(): void {
    const { scroller, content, layer, overlay } = this.#elements;
    if (this.#drawn === null || this.#state === null) return;
    const { data, widthPx } = this.#drawn;
    const { orientation } = this.#state;
    const heightPx = contentHeight(data.slice.maxDepth, scroller.clientHeight);
    this.#layout = { orientation, widthPx, heightPx, rootTotal: data.rootTotal };
    content.style.height = `${heightPx}px`;
    const scene: FlameScene = { ...this.#state, data, layout: this.#layout };
    this.#layerTop = this.#chart.draw(scene);
    layer.style.transform = `translateY(${this.#layerTop}px)`;
    overlay.setAttribute('width', String(widthPx));
    this.#hoveredRow = -1;
    this.#overlay.showHovered(null);
    this.#events.onHover(null, { x: 0, y: 0 });
    this.#outline();
    this.#applyScroll();
  }

  #outline(): void {
    if (this.#drawn === null || this.#state === null) return;
    const { slice } = this.#drawn.data;
    const { func } = this.#drawn.data;
    const { selectedFunction, selectedNode } = this.#state;
    const same: number[] = [];
    if (selectedFunction !== null) {
      for (let row = 0; row < slice.length; row++) if (func[row] === selectedFunction) same.push(row);
    }
    this.#overlay.showSame(same.map((row) => this.#boxInLayer(row)));
    const selectedRow = selectedNode === null ? -1 : rowOfNode(slice, selectedNode);
    this.#overlay.showSelected(selectedRow < 0 ? null : this.#boxInLayer(selectedRow));
  }

  #boxInLayer(row: number) {
    const { slice } = this.#drawn!.data;
    const box = frameBox(this.#layout!, slice, row);
    return { ...box, top: rowTop(this.#layout!, slice.depth[row]!) - this.#layerTop };
  }
}
