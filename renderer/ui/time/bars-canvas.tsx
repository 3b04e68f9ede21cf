import { memo } from 'react';
import type { ReactElement } from 'react';
import { cellStart } from '#core/analyze/time/time-grid.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { Theme } from '../flame/flame-graph.types.ts';
import type { TimeBars } from '#core/analyze/time/time-strip.ts';
import { shareOf } from './time-scale.ts';
import { useDrawing } from './use-drawing.ts';

interface BarsCanvasProps {
  readonly grid: { readonly start: number; readonly end: number; readonly columns: number };
  readonly weight: Float64Array | null;
  /** Stacked upon `weight`, paler: what transforms leave out. */
  readonly hidden?: Float64Array | null;
  /** Parts of `weight`, drawn over it, one upon the other. */
  readonly groups?: readonly ColouredBars[] | null;
  /** A part of `weight`, drawn over it. */
  readonly marked?: TimeBars | null;
  /** Weight of a bar of full height. */
  readonly highest: number;
  readonly window: TimeRange;
  /** Drawn anew where it changes: colours are the style's. */
  readonly theme: Theme;
}

/** By bucket of the grid. */
export interface ColouredBars {
  readonly colour: string;
  readonly weight: Float64Array;
}

/** Between two bars, of a bar's width. */
const GAP = 0.18;
/** What is there is seen, however little it is. */
const LEAST_PX = 1;

/** Weight over time as bars. Decoration: what it says is said in words beside it. */
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
