import { rootDistance, rowsInView, scrollTopFor, type FlameLayout } from './flame-layout.ts';

/** Where the rows are scrolled to, counted from the root's side, so that a change of height or orientation keeps it. */
export class FlameScroll {
  readonly #scroller: HTMLElement;
  readonly #rowPx: number;
  #distance = 0;

  constructor(scroller: HTMLElement, rowPx: number) {
    this.#scroller = scroller;
    this.#rowPx = rowPx;
  }

  /** First row and number of rows in view; `fromRoot`: were it not scrolled. */
  rows(fromRoot = false): { firstDepth: number; depthCount: number } {
    return rowsInView(fromRoot ? 0 : this.#distance, this.#scroller.clientHeight, this.#rowPx);
  }

  toRoot(): void {
    this.#distance = 0;
  }

  /** After the user scrolled. */
  read(layout: FlameLayout): void {
    const { scrollTop: top, clientHeight: viewport } = this.#scroller;
    this.#distance = rootDistance(layout.orientation, { top, viewport, content: layout.heightPx });
  }

  /** After the layout changed. */
  apply(layout: FlameLayout): void {
    const viewport = this.#scroller.clientHeight;
    const place = { rootDistance: this.#distance, viewport, content: layout.heightPx };
    this.#scroller.scrollTop = scrollTopFor(layout.orientation, place);
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
