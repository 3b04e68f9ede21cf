import type { FlameSlice, FlameSource, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import { SliceStore } from './slice-store.ts';

/** A pointer that only passes over a frame asks for nothing. */
const POINTER_REST_MS = 40;

export interface SliceListener {
  readonly show: (data: FlameSlice) => void;
  readonly fail: (message: string) => void;
}

/** What a view asks of its source: the newest request is answered, answers to older ones are dropped. */
export class SliceRequests {
  readonly #slices = new SliceStore();
  #newest = 0;
  #waiting = false;
  #restTimer = 0;

  /** The newest request has no answer yet. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /** Answers at once where it can. `isWhole`: of all of a zoomed root, so that it may be asked for again. */
  ask(source: FlameSource, request: SliceRequest, isWhole: boolean, { show, fail }: SliceListener): void {
    const number = (this.#newest += 1);
    const known = isWhole ? this.#slices.find(source, request) : null;
    this.#waiting = known === null;
    if (known !== null) return show(known);
    const answer = isWhole ? this.#slices.load(source, request) : source.requestSlice(request);
    const whenNewest = (act: () => void): void => {
      if (number !== this.#newest) return;
      this.#waiting = false;
      act();
    };
    answer.then(
      (data) => whenNewest(() => show(data)),
      (error: unknown) => whenNewest(() => fail(error instanceof Error ? error.message : String(error))),
    );
  }

  /** What a click on the frame that the pointer is on would show; null: it is on none. Asked for once it rests there. */
  pointAt(zoom: { readonly source: FlameSource; readonly request: SliceRequest } | null): void {
    window.clearTimeout(this.#restTimer);
    if (zoom === null) return;
    this.#restTimer = window.setTimeout(() => {
      if (this.#waiting || this.#slices.find(zoom.source, zoom.request) !== null) return;
      // A click that needs it says what failed.
      this.#slices.load(zoom.source, zoom.request).catch(() => undefined);
    }, POINTER_REST_MS);
  }

  /** No answer is told of any more. */
  dispose(): void {
    this.#newest += 1;
    window.clearTimeout(this.#restTimer);
  }
}

/** What one graph may draw by itself is shared by all graphs on screen: they are redrawn in one task. */
export function frameBudget(maxFrames: number): number {
  return Math.ceil(maxFrames / Math.max(1, document.querySelectorAll('.flame-graph').length));
}
