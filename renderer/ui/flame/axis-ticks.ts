import type { AxisScale } from '#core/units/axis-scale.ts';
import type { AxisLook } from './flame-graph.types.ts';
import type { WeightRange } from '../../../core/analyze/graph/weight-range.ts';

/** Between two labels. */
const GAP_PX = 14;
/** Between a tick and its label. */
export const LABEL_INSET_PX = 4;
/** Labels nearer than this are restless, however short. */
const LEAST_STEP_PX = 80;
/** A scale whose labels are too long is asked for again, with longer steps: a digit less each time. */
const MAX_TRIES = 4;

/** An axis at one zoom: what is in view, from its zero, and how wide that is drawn. */
export interface AxisWindow {
  /** From the axis' zero. */
  readonly range: WeightRange;
  readonly widthPx: number;
  /** Where the axis ends, from its zero. */
  readonly largest: number;
}

/** Steps that leave room for their labels; null where there is nothing to measure. `characterPx`: width of one character of a label. */
export function scaleFor({ scale }: AxisLook, window: AxisWindow, characterPx: number): AxisScale | null {
  const { range, widthPx, largest } = window;
  const weightPerPx = (range.last - range.first) / widthPx;
  if (!(weightPerPx > 0) || !Number.isFinite(weightPerPx)) return null;
  let roomPx = LEAST_STEP_PX;
  let found = scale(largest, roomPx * weightPerPx);
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const labelPx = found.text(largest).length * characterPx + LABEL_INSET_PX + GAP_PX;
    if (labelPx * weightPerPx <= found.step) break;
    roomPx = Math.max(labelPx, roomPx * 1.5);
    found = scale(largest, roomPx * weightPerPx);
  }
  return found;
}

/** Multiples of the step within a range, from its zero. */
export function ticksIn({ step }: AxisScale, { first, last }: WeightRange): number[] {
  const ticks: number[] = [];
  // Rounding must not lose the tick at the left edge.
  for (let count = Math.ceil(first / step - 1e-9); count * step < last; count++) ticks.push(count * step);
  return ticks;
}
