import type { FlameSlice, FlameSource, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import { messageOf } from '#core/model/failure.ts';

/** Time in ms for which the pointer must rest on a frame before its zoom is requested in advance. */
const POINTER_REST_MS = 40;

interface SliceListener {
  readonly show: (data: FlameSlice) => void;
  readonly fail: (message: string) => void;
}

/** The requests of a view. Only the newest one is answered; answers to older ones are dropped. */
export class SliceRequests {
  readonly #slices = new SliceStore();
  #newest = 0;
  #waiting = false;
  #restTimer = 0;

  /** True while the newest request has no answer. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /**
   * Answers immediately if the slice is cached. `isWhole` means that the request covers a whole zoomed root and may
   * recur.
   */
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
      (error: unknown) => whenNewest(() => fail(messageOf(error))),
    );
  }

  /**
   * Requests in advance what a click on the frame under the pointer would show, once the pointer rests there; null if
   * there is no frame.
   */
  pointAt(zoom: { readonly source: FlameSource; readonly request: SliceRequest } | null): void {
    window.clearTimeout(this.#restTimer);
    if (zoom === null) return;
    this.#restTimer = window.setTimeout(() => {
      if (this.#waiting || this.#slices.find(zoom.source, zoom.request) !== null) return;
      // A click that needs the slice reports the error.
      this.#slices.load(zoom.source, zoom.request).catch(() => undefined);
    }, POINTER_REST_MS);
  }

  /** Drops all pending answers. */
  dispose(): void {
    this.#newest += 1;
    window.clearTimeout(this.#restTimer);
  }
}

/** Divides the number of frames between all graphs on screen, which are redrawn in one task. */
export function frameBudget(maxFrames: number): number {
  return Math.ceil(maxFrames / Math.max(1, document.querySelectorAll('.flame-graph').length));
}

/** Number of slices kept, about 30 kB each: enough to go back a few zooms, and those requested in advance. */
const MAX_SLICES = 16;

/** Caches slices of a tree that were requested recently or may be next, to draw them without asking the worker. */
export class SliceStore {
  #source: FlameSource | null = null;
  readonly #slices = new Map<string, FlameSlice>();

  /** Returns null if the slice is not cached. */
  find(source: FlameSource, request: SliceRequest): FlameSlice | null {
    return source === this.#source ? (this.#slices.get(keyOf(request)) ?? null) : null;
  }

  async load(source: FlameSource, request: SliceRequest): Promise<FlameSlice> {
    const slice = await source.requestSlice(request);
    if (slice.isFirstPart !== true) this.#keep(source, keyOf(request), slice);
    return slice;
  }

  #keep(source: FlameSource, key: string, slice: FlameSlice): void {
    if (source !== this.#source) this.#slices.clear();
    this.#source = source;
    this.#slices.delete(key);
    this.#slices.set(key, slice);
    const [oldest] = this.#slices.keys();
    if (this.#slices.size > MAX_SLICES) this.#slices.delete(oldest!);
  }
}

const keyOf = (request: SliceRequest): string => JSON.stringify(request);
