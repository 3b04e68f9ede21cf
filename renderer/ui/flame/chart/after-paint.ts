import type { D3Chart } from './d3-chart.ts';
import type { DrawnSlice } from './drawn-slice.ts';
import type { FlameSlice } from '#core/analyze/graph/flame-slice.ts';

/** Runs `act` in a new task after the changes have been painted. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act));
}

/** Number of animation frames after which a large drawing has been rasterised and presented. */
const FRAMES_TO_PRESENT = 3;

/**
 * Works as {@link afterPaint}, after the changes have been presented, so that `act` does not compete with rasterising.
 */
export function afterPresented(act: () => void, frames = FRAMES_TO_PRESENT): void {
  if (frames > 1) requestAnimationFrame(() => afterPresented(act, frames - 1));
  else afterPaint(act);
}

/** Completes a drawing once it is on screen: requests the texture of its fillers, draws it, and reports the result. */
export class AfterDrawing {
  readonly #chart: D3Chart;
  readonly #tell: (data: FlameSlice) => void;
  #newest: DrawnSlice | null = null;

  constructor(chart: D3Chart, tell: (data: FlameSlice) => void) {
    this.#chart = chart;
    this.#tell = tell;
  }

  /** Follows a new drawing and drops the work for the previous one; null if nothing is drawn any more. */
  follow(drawn: DrawnSlice | null): void {
    this.#newest = drawn;
    if (drawn !== null) afterPresented(() => void this.#finish(drawn));
  }

  async #finish(drawn: DrawnSlice): Promise<void> {
    if (this.#newest !== drawn) return;
    const { data, request, source } = drawn.answer;
    if (drawn.mayHaveTexture && data.texture === undefined) {
      // Requests the fillers exactly as drawn: no frame limit, since more graphs may share the budget by now, and no
      // other minimum width.
      const drawnAlike = { minWidthPx: data.minWidthPx, maxFrames: Infinity };
      const asked = { ...request, ...drawnAlike, columnsPerPx: window.devicePixelRatio };
      // Errors are reported by the next drawing's request.
      const answer = await source.requestSlice(asked).catch(() => null);
      if (this.#newest !== drawn) return;
      if (answer !== null) drawn.addTexture(answer);
    }
    this.#chart.drawTexture(drawn.data);
    this.#tell(drawn.data);
  }
}
