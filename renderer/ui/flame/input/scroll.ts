import { rootDistance, rowsInView, scrollTopFor, type FlameLayout } from '../chart/layout.ts';
import type { VisibleRows } from '../minimap/map-box.ts';

/** Browsers round scroll positions to device pixels. */
const WHOLE_PX = 1;

/** The scroll position of the rows, measured from the root's edge, so that changes of height or orientation keep it. */
export class FlameScroll {
  readonly #scroller: HTMLElement;
  readonly #rowPx: number;
  readonly #onRows: (rows: VisibleRows) => void;
  #distance = 0;

  /** `onRows` is called after each drawing and each scroll. */
  constructor(scroller: HTMLElement, rowPx: number, onRows: (rows: VisibleRows) => void) {
    this.#scroller = scroller;
    this.#rowPx = rowPx;
    this.#onRows = onRows;
  }

  /** Returns the first row and the number of visible rows; `fromRoot` ignores the scroll position. */
  rows(fromRoot = false): { firstDepth: number; depthCount: number } {
    return rowsInView(fromRoot ? 0 : this.#distance, this.#scroller.clientHeight, this.#rowPx);
  }

  toRoot(): void {
    this.#distance = 0;
  }

  get rootDistancePx(): number {
    return this.#distance;
  }

  /** Reads the position after a scroll event; returns false if this object caused it. */
  read(layout: FlameLayout): boolean {
    const { scrollTop: top, clientHeight: viewport } = this.#scroller;
    const before = this.#distance;
    this.#distance = rootDistance(layout.orientation, { top, viewport, content: layout.heightPx });
    this.#tell(layout, viewport);
    return Math.abs(this.#distance - before) >= WHOLE_PX;
  }

  /** Scrolls to a distance; returns false if it is already there. */
  to(layout: FlameLayout, rootDistancePx: number): boolean {
    const viewport = this.#scroller.clientHeight;
    const distance = Math.max(0, Math.min(rootDistancePx, layout.heightPx - viewport));
    if (Math.abs(distance - this.#distance) < WHOLE_PX) return false;
    this.#distance = distance;
    this.apply(layout);
    return true;
  }

  /** Restores the position after a change of the layout. */
  apply(layout: FlameLayout): void {
    const viewport = this.#scroller.clientHeight;
    const place = { rootDistance: this.#distance, viewport, content: layout.heightPx };
    this.#scroller.scrollTop = scrollTopFor(layout.orientation, place);
    this.#tell(layout, viewport);
  }

  #tell({ rootDepth }: FlameLayout, viewport: number): void {
    this.#onRows({ rootDepth, first: rootDepth + this.#distance / this.#rowPx, count: viewport / this.#rowPx });
  }

  /** Scrolls a row into view, with a neighbour on either side. */
  reveal(layout: FlameLayout, depth: number): void {
    const near = (depth - 1) * this.#rowPx;
    const far = (depth + 2) * this.#rowPx;
    const viewport = this.#scroller.clientHeight;
    if (near < this.#distance) this.#distance = Math.max(0, near);
    else if (far > this.#distance + viewport) this.#distance = far - viewport;
    else return;
    this.apply(layout);
  }
}
