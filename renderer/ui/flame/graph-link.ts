import type { CallNodeIndex } from '#core/model/brand.ts';
import type { PointedFrame } from './view.types.ts';

/** How linked graphs of the same nodes control each other. */
export interface LinkedGraph {
  /** See `FlameView.zoomTo`. */
  readonly zoomTo: (node: CallNodeIndex, tell: () => Promise<void> | void) => void;
  readonly pointAt: (pointed: PointedFrame | null) => void;
  /** The distance in pixels is between the view and the root at the root's edge. */
  readonly scrollTo: (rootDistancePx: number) => void;
}

/** Graphs of the same nodes that zoom, scroll and highlight together. */
export class GraphLink {
  readonly #graphs = new Map<string, LinkedGraph>();

  /** Adds a graph and returns the function that removes it. `id` must be unique. */
  join(id: string, graph: LinkedGraph): () => void {
    this.#graphs.set(id, graph);
    return () => this.#graphs.delete(id);
  }

  /** Draws a zoom in every graph; calls `tell` once, when all have drawn it or failed. */
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

  /** Highlights a frame in all graphs. */
  pointAt(pointed: PointedFrame | null): void {
    for (const graph of this.#graphs.values()) graph.pointAt(pointed);
  }

  /** Scrolls all graphs except `from`, the ID of the one that the user scrolled. */
  scroll(from: string, rootDistancePx: number): void {
    for (const [id, graph] of this.#graphs) if (id !== from) graph.scrollTo(rootDistancePx);
  }
}
