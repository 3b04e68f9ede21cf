import { afterPresented } from './after-paint.ts';
import type { D3Chart } from './d3-chart.ts';
import type { DrawnSlice } from './drawn-slice.ts';
import type { FlameSlice } from '#core/analyze/graph/flame-slice.ts';

/** What follows a drawing once it is on screen: what its fillers hold is asked for and drawn, and then it is told of. */
export class AfterDrawing {
  readonly #chart: D3Chart;
  readonly #tell: (data: FlameSlice) => void;
  #newest: DrawnSlice | null = null;

  constructor(chart: D3Chart, tell: (data: FlameSlice) => void) {
    this.#chart = chart;
    this.#tell = tell;
  }

  /** What comes after a drawing that was replaced is left out. Null: nothing is drawn any more. */
  follow(drawn: DrawnSlice | null): void {
    this.#newest = drawn;
    if (drawn !== null) afterPresented(() => void this.#finish(drawn));
  }

  async #finish(drawn: DrawnSlice): Promise<void> {
    if (this.#newest !== drawn) return;
    const { data, request, source } = drawn.answer;
    if (drawn.mayHaveTexture && data.texture === undefined) {
      // Of the fillers that are drawn, however many graphs share the frames by now; and no least width is tried again.
      const drawnAlike = { minWidthPx: data.minWidthPx, maxFrames: Infinity };
      const asked = { ...request, ...drawnAlike, columnsPerPx: window.devicePixelRatio };
      // What fails is told by the next drawing, which asks for more.
      const answer = await source.requestSlice(asked).catch(() => null);
      if (this.#newest !== drawn) return;
      if (answer !== null) drawn.addTexture(answer);
    }
    this.#chart.drawTexture(drawn.data);
    this.#tell(drawn.data);
  }
}
