import { memo } from 'react';
import type { ReactElement } from 'react';
import { cellStart } from '#core/analyze/time-grid.ts';
import type { TimeRange } from '#core/analyze/time-grid.ts';
import type { Theme } from '../flame/flame-graph.types.ts';
import { shareOf } from './time-scale.ts';
import { useDrawing } from './use-drawing.ts';

interface BarsCanvasProps {
  readonly grid: { readonly start: number; readonly end: number; readonly columns: number };
  readonly weight: Float64Array | null;
  /** Stacked upon `weight`, paler: what transforms leave out. */
  readonly hidden?: Float64Array | null;
  /** Weight of a bar of full height. */
  readonly highest: number;
  readonly window: TimeRange;
  /** Drawn anew where it changes: colours are the style's. */
  readonly theme: Theme;
}

/** Between two bars, of a bar's width. */
const GAP = 0.18;
/** What is there is seen, however little it is. */
const LEAST_PX = 1;

/** Weight over time as bars. Decoration: what it says is said in words beside it. */
export const BarsCanvas = memo(function BarsCanvas(props: BarsCanvasProps): ReactElement {
  const { grid, weight, hidden = null, highest, window } = props;
  const canvas = useDrawing((context, width, height) => {
    if (weight === null || highest <= 0) return;
    const style = getComputedStyle(context.canvas);
    const [shown, left] = [style.getPropertyValue('--time-bar'), style.getPropertyValue('--time-bar-hidden')];
    for (let bucket = 0; bucket < weight.length; bucket++) {
      const leftOut = hidden?.[bucket] ?? 0;
      if (weight[bucket]! <= 0 && leftOut <= 0) continue;
      const x = shareOf(window, cellStart({ ...grid, rows: 1 }, bucket)) * width;
      const next = shareOf(window, cellStart({ ...grid, rows: 1 }, bucket + 1)) * width;
      if (next < 0 || x > width) continue;
      const barWidth = Math.max(1, (next - x) * (1 - GAP));
      const barHeight = barPx(weight[bucket]!, highest, height);
      context.fillStyle = shown;
      context.fillRect(x, height - barHeight, barWidth, barHeight);
      if (leftOut <= 0) continue;
      const above = barPx(leftOut, highest, height);
      context.fillStyle = left;
      context.fillRect(x, height - barHeight - above, barWidth, above);
    }
  });
  return <canvas ref={canvas} className="time-canvas" aria-hidden="true" />;
});

const barPx = (weight: number, highest: number, height: number): number =>
  weight <= 0 ? 0 : Math.max(LEAST_PX, (weight / highest) * height);
