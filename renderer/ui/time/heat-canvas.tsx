import { memo, useMemo, type ReactElement } from 'react';
import type { Theme } from '../flame/graph.types.ts';
import { heatRamp, heatStep } from './heat-colours.ts';
import type { HeatMap } from '#core/analyze/time/strip.ts';
import { useDrawing } from './use-drawing.ts';

/** Cells in order of time, from first to last. */
export interface CellSpan {
  readonly first: number;
  readonly last: number;
}

interface HeatCanvasProps {
  readonly map: HeatMap;
  /** First and last cell that the views show; null for all. */
  readonly first: number | null;
  readonly last: number | null;
  readonly cursor: number | null;
  readonly theme: Theme;
}

/**
 * Draws time in columns from left to right, each from the bottom up. The surrounding grid gives the same information as
 * text.
 */
export const HeatCanvas = memo(function HeatCanvas(props: HeatCanvasProps): ReactElement {
  const { map, first, last, cursor, theme } = props;
  const ramp = useMemo(() => heatRamp(theme), [theme]);
  const canvas = useDrawing((context, width, height) => {
    const style = getComputedStyle(context.canvas);
    const cell = cellBoxes(map, width, height);
    context.fillStyle = style.getPropertyValue('--sunken');
    context.fillRect(0, 0, width, height);
    for (let index = 0; index < map.weight.length; index++) {
      if (map.sampleCount[index] === 0) continue;
      const { x, y, w, h } = cell(index);
      context.fillStyle = ramp[heatStep(map.weight[index]!, map.maxWeight)]!;
      context.fillRect(x, y, w, h);
    }
    if (first !== null && last !== null) {
      const chosen = { first, last };
      context.fillStyle = style.getPropertyValue('--time-veil');
      for (const box of spanBoxes(map, { first: 0, last: chosen.first - 1 }, width, height)) context.fillRect(...box);
      const after = { first: chosen.last + 1, last: map.weight.length - 1 };
      for (const box of spanBoxes(map, after, width, height)) context.fillRect(...box);
      outline(context, map, chosen, width, height, style.getPropertyValue('--focus'));
    }
    if (cursor !== null) {
      const { x, y, w, h } = cell(cursor);
      context.lineWidth = 2;
      context.strokeStyle = style.getPropertyValue('--text');
      context.strokeRect(x - 1, y - 1, w + 2, h + 2);
    }
  });
  return <canvas ref={canvas} className="time-canvas" aria-hidden="true" />;
});

/** Returns the pixels of a cell; neighbours share their edges, so that no seam is visible. */
function cellBoxes({ columns, rows }: HeatMap, width: number, height: number) {
  return (index: number): { x: number; y: number; w: number; h: number } => {
    const column = Math.floor(index / rows);
    const row = index - column * rows;
    const x = Math.round((column / columns) * width);
    const y = Math.round(((rows - row - 1) / rows) * height);
    return {
      x,
      y,
      w: Math.round(((column + 1) / columns) * width) - x,
      h: Math.round(((rows - row) / rows) * height) - y,
    };
  };
}

type Box = readonly [x: number, y: number, width: number, height: number];

/** Returns the boxes of a span of time: part of a column, whole columns, and part of another. */
function spanBoxes(map: HeatMap, { first, last }: CellSpan, width: number, height: number): Box[] {
  if (last < first) return [];
  const cell = cellBoxes(map, width, height);
  const { rows } = map;
  const [from, to] = [Math.floor(first / rows), Math.floor(last / rows)];
  const part = (low: number, high: number): Box => {
    const [bottom, top] = [cell(low), cell(high)];
    return [bottom.x, top.y, bottom.w, bottom.y + bottom.h - top.y];
  };
  if (from === to) return [part(first, last)];
  const between: Box[] = [];
  if (to - from > 1) {
    const [left, right] = [cell((from + 1) * rows), cell((to - 1) * rows)];
    between.push([left.x, 0, right.x + right.w - left.x, height]);
  }
  return [part(first, from * rows + rows - 1), ...between, part(to * rows, last)];
}

/** Draws the outline of a span, stepped where it begins and ends within columns. */
function outline(
  context: CanvasRenderingContext2D,
  map: HeatMap,
  span: CellSpan,
  width: number,
  height: number,
  colour: string,
): void {
  const cell = cellBoxes(map, width, height);
  const [start, end] = [cell(span.first), cell(span.last)];
  const { rows } = map;
  context.lineWidth = 1.5;
  context.strokeStyle = colour;
  context.beginPath();
  if (Math.floor(span.first / rows) === Math.floor(span.last / rows)) {
    context.rect(start.x, end.y, start.w, start.y + start.h - end.y);
  } else {
    const [startBottom, endTop] = [start.y + start.h, end.y];
    context.moveTo(start.x, startBottom);
    context.lineTo(start.x, 0);
    context.lineTo(end.x, 0);
    context.lineTo(end.x, endTop);
    context.lineTo(end.x + end.w, endTop);
    context.lineTo(end.x + end.w, height);
    context.lineTo(start.x + start.w, height);
    context.lineTo(start.x + start.w, startBottom);
    context.closePath();
  }
  context.stroke();
}
