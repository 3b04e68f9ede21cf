import type { CallNodeIndex } from '#core/model/brand.ts';
import { afterPaint } from './chart/after-paint.ts';
import type { FlameViewState } from './view.types.ts';

/** If it returns a promise, the zoom stays until it resolves, because linked graphs are still being drawn. */
type Tell = () => Promise<void> | void;

interface PendingZoom {
  readonly from: CallNodeIndex;
  readonly to: CallNodeIndex;
  /** Called once, when the zoom is on screen or has failed, or the user does something else. */
  tell: Tell | null;
}

/**
 * Draws a zoom before the owner of the state is notified, because everything else that a click triggers takes longer
 * than drawing.
 */
export class ZoomAhead {
  readonly #onDropped: (given: FlameViewState) => void;
  #zoom: PendingZoom | null = null;
  /** The given state, without the zoom. */
  #given: FlameViewState | null = null;

  /** `onDropped` is called with the given state if the owner did not adopt the zoom. */
  constructor(onDropped: (given: FlameViewState) => void) {
    this.#onDropped = onDropped;
  }

  /** Returns the state to show for a given state, while `shown` is on screen. */
  apply(given: FlameViewState, shown: FlameViewState | null): FlameViewState {
    this.#given = given;
    if (given.rootNode !== this.#zoom?.from || given.source !== shown?.source) this.#zoom = null;
    return this.#zoom === null ? given : withZoom(given, this.#zoom.to);
  }

  /** Starts a zoom and returns the state to show. A pending zoom is reported first. */
  begin(node: CallNodeIndex, shown: FlameViewState, tell: Tell): FlameViewState {
    this.tell();
    this.#zoom = { from: shown.rootNode, to: node, tell };
    return withZoom(shown, node);
  }

  /** Reports a change that needs no drawing, after a pending zoom. */
  tellAlso(tell: Tell): void {
    this.tell();
    void tell();
  }

  /** Reports the pending zoom, if any. */
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
