import { rootDistance, rowsInView, scrollTopFor, type FlameLayout } from './flame-layout.ts';
import type { VisibleRows } from './map-box.ts';

/** Browsers round what they scroll to, to device pixels. */
const WHOLE_PX = 1;

/** Where the rows are scrolled to, counted from the root's side, so that a change of height or orientation keeps it. */
export class FlameScroll {
  readonly #scroller: HTMLElement;
  readonly #rowPx: number;
  readonly #onRows: (rows: VisibleRows) => void;
  #distance = 0;

  /** `onRows`: after a drawing and each scroll. */
  constructor(scroller: HTMLElement, rowPx: number, onRows: (rows: VisibleRows) => void) {
    this.#scroller = scroller;
    this.#rowPx = rowPx;
    this.#onRows = onRows;
  }

  /** First row and number of rows in view; `fromRoot`: were it not scrolled. */
  rows(fromRoot = false): { firstDepth: number; depthCount: number } {
    return rowsInView(fromRoot ? 0 : this.#distance, this.#scroller.clientHeight, this.#rowPx);
  }

  toRoot(): void {
    this.#distance = 0;
  }

  get rootDistancePx(): number {
    return this.#distance;
  }

  /** After a scroll; false where it was this object's own. */
  read(layout: FlameLayout): boolean {
    const { scrollTop: top, clientHeight: viewport } = this.#scroller;
    const before = this.#distance;
    this.#distance = rootDistance(layout.orientation, { top, viewport, content: layout.heightPx });
    this.#tell(layout, viewport);
    return Math.abs(this.#distance - before) >= WHOLE_PX;
  }

  /** False where that is where it is. */
  to(layout: FlameLayout, rootDistancePx: number): boolean {
    const viewport = this.#scroller.clientHeight;
    const distance = Math.max(0, Math.min(rootDistancePx, layout.heightPx - viewport));
    if (Math.abs(distance - this.#distance) < WHOLE_PX) return false;
    this.#distance = distance;
    this.apply(layout);
    return true;
  }

  /** After the layout changed. */
  apply(layout: FlameLayout): void {
    const viewport = this.#scroller.clientHeight;
    const place = { rootDistance: this.#distance, viewport, content: layout.heightPx };
    this.#scroller.scrollTop = scrollTopFor(layout.orientation, place);
    this.#tell(layout, viewport);
  }

  #tell({ rootDepth }: FlameLayout, viewport: number): void {
    this.#onRows({ rootDepth, first: rootDepth + this.#distance / this.#rowPx, count: viewport / this.#rowPx });
  }

  /** A row, with a neighbour on either side. */
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
