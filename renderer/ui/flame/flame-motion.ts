import type { DrawnPart, WeightRange } from '../../../core/analyze/graph/weight-range.ts';
import { rangeOf, sameRange } from '../../../core/analyze/graph/weight-range.ts';

/** A gesture that rests this long is drawn anew, so that it is crisp within 120 ms. */
const REST_MS = 30;

/** What a moving view needs to know of what is drawn. */
export interface MovedDrawing {
  readonly part: DrawnPart;
  /** Of the view when it was asked for. */
  readonly viewPx: number;
  readonly rootScale: number;
  /** Where the drawing begins within the content. */
  readonly topPx: number;
}

export interface MotionEvents {
  /** Before the next frame is painted: time to place the drawing. */
  onFrame(): void;
  onRest(): void;
}

/** What is in view: during a gesture ahead of the drawing, which is stretched to it until the gesture rests. */
export class FlameMotion {
  readonly #layer: HTMLElement;
  readonly #events: MotionEvents;
  #range: WeightRange | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame = 0;

  constructor(layer: HTMLElement, events: MotionEvents) {
    this.#layer = layer;
    this.#events = events;
  }

  /** Null: all of the zoomed root. */
  get range(): WeightRange | null {
    return this.#range;
  }

  get isMoving(): boolean {
    return this.#timer !== null;
  }

  /** At once, without a gesture; ends one that has not rested. */
  jump(range: WeightRange | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#range = range;
  }

  /** A step of a gesture; false where it changes nothing. */
  step(change: (range: WeightRange, total: number) => WeightRange | null, rootScale: number): boolean {
    if (!(rootScale > 0)) return false;
    const before = rangeOf(this.#range, rootScale);
    const next = change(before, rootScale);
    if (next === before || sameRange(next, this.#range)) return false;
    this.#range = next;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.settle(), REST_MS);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#events.onFrame();
    });
    return true;
  }

  /** Ends a gesture that has not come to rest: what follows starts from where it is. */
  settle(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#events.onRest();
  }

  /** Puts the drawing where the view is. Returns what is in view, as a part of the root. */
  place({ part, viewPx, rootScale, topPx }: MovedDrawing): WeightRange {
    const view = rangeOf(this.#range, rootScale);
    const pxPerWeight = view.last > view.first ? viewPx / (view.last - view.first) : 0;
    const stretch = pxPerWeight === 0 ? 1 : ((part.range.last - part.range.first) * pxPerWeight) / part.widthPx;
    const left = (part.range.first - view.first) * pxPerWeight;
    const atRest = Math.abs(stretch - 1) < 1e-9 && Math.abs(left - Math.round(left)) < 1e-3;
    this.#layer.style.transform = atRest
      ? `translate(${Math.round(left)}px, ${topPx}px)`
      : `translate(${left}px, ${topPx}px) scaleX(${stretch})`;
    return view;
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
  }
}
