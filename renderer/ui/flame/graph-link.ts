import type { CallNodeIndex } from '#core/model/brand.ts';
import type { PointedFrame } from './flame-view.types.ts';

/** What one of several graphs of the same nodes does with the others. */
export interface LinkedGraph {
  /** See `FlameView.zoomTo`. */
  readonly zoomTo: (node: CallNodeIndex, tell: () => Promise<void> | void) => void;
  readonly pointAt: (pointed: PointedFrame | null) => void;
  /** Pixels between the view's edge at the root's side and the root. */
  readonly scrollTo: (rootDistancePx: number) => void;
}

/** Graphs of the same nodes that zoom, scroll and point as one. */
export class GraphLink {
  readonly #graphs = new Map<string, LinkedGraph>();

  /** Returns what takes it out again. `id` is unlike any other's. */
  join(id: string, graph: LinkedGraph): () => void {
    this.#graphs.set(id, graph);
    return () => this.#graphs.delete(id);
  }

  /** Draws a zoom in every graph; `tell` is called once, when all have drawn it or failed. */
  zoomTo(node: CallNodeIndex, tell: () => void): void {
    let drawing = this.#graphs.size;
    let resolve: () => void = () => undefined;
    const told = new Promise<void>((done) => (resolve = done));
    for (const graph of this.#graphs.values()) {
      graph.zoomTo(node, () => {
        drawing -= 1;
        if (drawing === 0) {
          tell();
          resolve();
        }
        return told;
      });
    }
  }

  /** What is pointed at in any of them, or elsewhere. */
  pointAt(pointed: PointedFrame | null): void {
    for (const graph of this.#graphs.values()) graph.pointAt(pointed);
  }

  /** `from`: id of the one that the user scrolled. */
  scroll(from: string, rootDistancePx: number): void {
    for (const [id, graph] of this.#graphs) if (id !== from) graph.scrollTo(rootDistancePx);
  }
}
