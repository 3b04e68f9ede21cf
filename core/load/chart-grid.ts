import { markup, type Markup } from '../export/markup.ts';
import type { AxisScale } from '../units/axis-scale.ts';

/** Where a chart's grid is drawn, in pixels of its picture. */
export interface GridBox {
  readonly left: number;
  readonly right: number;
  readonly maxLines: number;
}

/** Draws a horizontal line for each tick from 0 to `most`, labelled at the left. `y` places a value. */
export function gridOf(
  { step, text }: AxisScale,
  most: number,
  y: (value: number) => number,
  { left, right, maxLines }: GridBox,
): Markup[] {
  const lines = Math.min(maxLines, Math.floor(most / step + 1e-9) + 1);
  return Array.from({ length: lines }, (_, place) => place * step).flatMap((value) => [
    markup('line', { x1: left, x2: right, y1: fixed(y(value)), y2: fixed(y(value)), stroke: '#8888', class: 'grid' }),
    markup('text', { x: left - 6, y: fixed(y(value) + 4), 'text-anchor': 'end', fill: 'currentColor' }, text(value)),
  ]);
}

/** Rounds a coordinate to hundredths of a pixel. */
export const fixed = (value: number): string => String(Math.round(value * 100) / 100);
