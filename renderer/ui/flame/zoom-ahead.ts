import type { CallNodeIndex } from '#core/model/brand.ts';
import { afterPaint } from './after-paint.ts';
import type { FlameViewState } from './flame-view.types.ts';

/** A promise: the zoom holds until then, since others that it belongs to are being drawn. */
type Tell = () => Promise<void> | void;

interface Zoom {
  readonly from: CallNodeIndex;
  readonly to: CallNodeIndex;
  /** To be called once, when it is on screen or has failed. */
  tell: Tell | null;
}

/** A zoom that is drawn before whoever holds the state knows of it: what else follows from a click takes longer than the drawing. */
export class ZoomAhead {
  readonly #onDropped: (given: FlameViewState) => void;
  #zoom: Zoom | null = null;
  /** Without the zoom. */
  #given: FlameViewState | null = null;

  /** `onDropped`: whoever was told of a zoom did not do it, so that this holds again. */
  constructor(onDropped: (given: FlameViewState) => void) {
    this.#onDropped = onDropped;
  }

  /** What is shown of a state that is given while `shown` is. */
  apply(given: FlameViewState, shown: FlameViewState | null): FlameViewState {
    this.#given = given;
    if (given.rootNode !== this.#zoom?.from || given.source !== shown?.source) this.#zoom = null;
    return this.#zoom === null ? given : withZoom(given, this.#zoom.to);
  }

  /** What is shown from now on. A zoom before it is told of first. */
  begin(node: CallNodeIndex, shown: FlameViewState, tell: Tell): FlameViewState {
    this.tell();
    this.#zoom = { from: shown.rootNode, to: node, tell };
    return withZoom(shown, node);
  }

  /** What needs no drawing, after the zoom that is on its way. */
  tellAlso(tell: Tell): void {
    this.tell();
    void tell();
  }

  /** The zoom, where there is one, is on screen or has failed. */
  tell(): void {
    const zoom = this.#zoom;
    if (zoom === null || zoom.tell === null) return;
    const { tell } = zoom;
    zoom.tell = null;
    const told = tell();
    const check = (): void =>
      afterPaint(() => {
        if (this.#zoom !== zoom || this.#given === null) return;
        this.#zoom = null;
        this.#onDropped(this.#given);
      });
    if (told === undefined) check();
    else void told.then(check);
  }
}

function withZoom(state: FlameViewState, node: CallNodeIndex): FlameViewState {
  return { ...state, rootNode: node, range: null, selectedNode: node };
}
