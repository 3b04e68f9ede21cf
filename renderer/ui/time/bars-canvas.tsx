import { memo, type ReactElement } from 'react';
import { cellStart, type TimeRange } from '#core/analyze/time/grid.ts';
import type { Theme } from '../flame/graph.types.ts';
import type { TimeBars } from '#core/analyze/time/strip.ts';
import { shareOf } from './time-scale.ts';
import { useDrawing } from './use-drawing.ts';

interface BarsCanvasProps {
  readonly grid: { readonly start: number; readonly end: number; readonly columns: number };
  readonly weight: Float64Array | null;
  /** Drawn above `weight` in a paler colour: the weight hidden by transforms. */
  readonly hidden?: Float64Array | null;
  /** Parts of `weight`, drawn over it and stacked. */
  readonly groups?: readonly ColouredBars[] | null;
  /** A part of `weight`, drawn over it. */
  readonly marked?: TimeBars | null;
  /** Weight of a bar of full height. */
  readonly highest: number;
  readonly window: TimeRange;
  /** Triggers a redraw, because colours come from the style. */
  readonly theme: Theme;
}

/** Weights by bucket of the grid. */
export interface ColouredBars {
  readonly colour: string;
  readonly weight: Float64Array;
}

/** Gap between two bars, as a fraction of a bar's width. */
const GAP = 0.18;
/** Minimum height of a bar, so that any weight is visible. */
const LEAST_PX = 1;

/** Weight over time as bars. Decorative: the same information is given as text. */
export const BarsCanvas = memo(function BarsCanvas(props: BarsCanvasProps): ReactElement {
  const { grid, weight, hidden = null, groups = null, marked = null, highest, window } = props;
  const canvas = useDrawing((context, width, height) => {
    if (weight === null || highest <= 0) return;
    const style = getComputedStyle(context.canvas);
    const draw = (fill: string, of: BarsCanvasProps['grid'], bars: Float64Array, below: Float64Array | null): void => {
      context.fillStyle = fill;
      for (let bucket = 0; bucket < bars.length; bucket++) {
        if (bars[bucket]! <= 0) continue;
        const x = shareOf(window, cellStart({ ...of, rows: 1 }, bucket)) * width;
        const next = shareOf(window, cellStart({ ...of, rows: 1 }, bucket + 1)) * width;
        if (next < 0 || x > width) continue;
        const barHeight = barPx(bars[bucket]!, highest, height);
        const bottom = height - barPx(below?.[bucket] ?? 0, highest, height);
        context.fillRect(x, bottom - barHeight, Math.max(1, (next - x) * (1 - GAP)), barHeight);
      }
    };
    const own = (name: string): string => style.getPropertyValue(name);
    draw(own(groups === null ? '--time-bar' : '--time-bar-other'), grid, weight, null);
    const below = new Float64Array(weight.length);
    for (const group of groups ?? []) {
      draw(group.colour, grid, group.weight, below);
      for (const [bucket, part] of group.weight.entries()) below[bucket]! += part;
    }
    if (hidden !== null) draw(own('--time-bar-hidden'), grid, hidden, weight);
    if (marked !== null) draw(own('--time-bar-marked'), marked, marked.weight, null);
  });
  return <canvas ref={canvas} className="time-canvas" aria-hidden="true" />;
});

const barPx = (weight: number, highest: number, height: number): number =>
  weight <= 0 ? 0 : Math.max(LEAST_PX, (weight / highest) * height);
