import { rangeOf, sameRange, type DrawnPart, type WeightRange } from '../../../../core/analyze/graph/weight-range.ts';

/** Pause after which a gesture counts as finished and is redrawn, so that the drawing is sharp within 120 ms. */
const REST_MS = 30;

/** The parts of a drawing that determine where it moves. */
interface MovedDrawing {
  readonly part: DrawnPart;
  /** Width of the view at the time of the request. */
  readonly viewPx: number;
  readonly rootScale: number;
  /** Top of the drawing within the content. */
  readonly topPx: number;
}

interface MotionEvents {
  /** Called before the next frame is painted, to place the drawing. */
  onFrame(): void;
  onRest(): void;
}

/**
 * The visible range. During a gesture it moves ahead of the drawing, which is stretched to it until the gesture rests.
 */
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

  /** Null shows all of the zoomed root. */
  get range(): WeightRange | null {
    return this.#range;
  }

  get isMoving(): boolean {
    return this.#timer !== null;
  }

  /** Sets the range immediately and ends a running gesture. */
  jump(range: WeightRange | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#range = range;
  }

  /** Applies a step of a gesture; returns false if it changes nothing. */
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

  /** Ends a running gesture at its current range. */
  settle(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#events.onRest();
  }

  /** Moves the drawing to the visible range and returns that range, as weights of the root. */
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
