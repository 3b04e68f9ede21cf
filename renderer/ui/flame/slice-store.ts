import type { FlameSlice, FlameSource, SliceRequest } from '#core/analyze/graph/flame-slice.ts';

/** Of some 30 kB each: the way back through a few zooms, and what the pointer rested on. */
const MAX_SLICES = 16;

/** Slices of a tree that were asked for lately or may be next: what is at hand is drawn without the way to the worker and back. */
export class SliceStore {
  #source: FlameSource | null = null;
  readonly #slices = new Map<string, FlameSlice>();

  /** Null where it is not at hand. */
  find(source: FlameSource, request: SliceRequest): FlameSlice | null {
    return source === this.#source ? (this.#slices.get(keyOf(request)) ?? null) : null;
  }

  async load(source: FlameSource, request: SliceRequest): Promise<FlameSlice> {
    const slice = await source.requestSlice(request);
    this.#keep(source, keyOf(request), slice);
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
