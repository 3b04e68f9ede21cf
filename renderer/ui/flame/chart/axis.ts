import { changeAttribute } from './change-attribute.ts';
import type { DrawnSlice } from './drawn-slice.ts';
import type { AxisLook } from '../graph.types.ts';
import { rowTop } from './layout.ts';
import type { WeightRange } from '#core/analyze/graph/weight-range.ts';
import type { AxisScale } from '#core/units/axis-scale.ts';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The axis of a graph, in the drawing's unit: labels below the graph, which follow each frame of a gesture, and lines
 * behind it, which stretch with it.
 */
export class FlameAxis {
  readonly #ticks: HTMLElement;
  readonly #lines = document.createElementNS(SVG, 'path');
  #labels: readonly HTMLElement[] = [];
  #drawn: DrawnSlice | null = null;
  #look: AxisLook | null = null;
  #characterPx = 0;

  /** `ticks` is as wide as the view; `grid` is below the frames in the layer that moves with a gesture. */
  constructor(ticks: HTMLElement, grid: SVGSVGElement) {
    this.#ticks = ticks;
    grid.append(this.#lines);
  }

  /** Called after a drawing, before it is placed. */
  follow(drawn: DrawnSlice, look: AxisLook, characterPx: number): void {
    this.#drawn = drawn;
    this.#look = look;
    this.#characterPx = characterPx;
    const { range, widthPx } = drawn.layout;
    const window = this.#windowOf(drawn, look, range, widthPx);
    const scale = scaleFor(look, window, characterPx);
    const [top, bottom] = drawnHeight(drawn);
    const pxPerWeight = widthPx / (range.last - range.first);
    const line = (tick: number): string =>
      `M${Math.floor((tick - window.range.first) * pxPerWeight) + 0.5} ${top}V${bottom}`;
    this.#lines.setAttribute('d', scale === null ? '' : ticksIn(scale, window.range).map(line).join(''));
  }

  /** Called for each frame of a gesture. `range` is the visible range of the zoomed root. */
  place(range: WeightRange): void {
    if (this.#drawn === null || this.#look === null) return;
    const widthPx = this.#drawn.answer.viewPx;
    const window = this.#windowOf(this.#drawn, this.#look, range, widthPx);
    const scale = scaleFor(this.#look, window, this.#characterPx);
    const ticks = scale === null ? [] : ticksIn(scale, window.range);
    this.#keep(ticks.length);
    ticks.forEach((tick, place) => {
      const label = this.#labels[place]!;
      const left = ((tick - window.range.first) / (range.last - range.first)) * widthPx;
      const text = scale!.text(tick);
      const share = shareText(this.#look!, tick, this.#drawn!.data.rootTotal);
      const fits = left + LABEL_INSET_PX + (text.length + share.length) * this.#characterPx <= widthPx;
      setText(label, fits ? text : '');
      changeAttribute(label, 'data-share', fits ? share : '');
      label.style.transform = `translateX(${Math.floor(left)}px)`;
    });
  }

  dispose(): void {
    this.#keep(0);
    this.#lines.remove();
  }

  /** Weights start at the left edge of the zoomed frame, times at that of the whole tree. */
  #windowOf({ data }: DrawnSlice, { from }: AxisLook, range: WeightRange, widthPx: number): AxisWindow {
    const zero = from === 'tree' ? data.rootStart : 0;
    return { range: { first: zero + range.first, last: zero + range.last }, widthPx, largest: zero + data.rootScale };
  }

  #keep(count: number): void {
    while (this.#labels.length < count) {
      const label = document.createElement('span');
      this.#ticks.append(label);
      this.#labels = [...this.#labels, label];
    }
    for (const label of this.#labels.slice(count)) label.remove();
    this.#labels = this.#labels.slice(0, count);
  }
}

/**
 * Returns the vertical extent of the requested rows, in pixels of the drawing; it extends to the end if the deepest row
 * is included.
 */
function drawnHeight({ data, answer, layout, topPx }: DrawnSlice): readonly [number, number] {
  const { firstDepth, depthCount } = answer.request;
  const lastDepth = firstDepth + depthCount - 1;
  const ends = [firstDepth, lastDepth < data.slice.maxDepth ? lastDepth : Infinity].map((depth) =>
    rowTop(layout, depth),
  );
  const top = Math.max(0, Math.min(...ends));
  const bottom = Math.min(layout.heightPx, Math.max(...ends) + layout.rowPx);
  return [top - topPx, bottom - topPx];
}

/**
 * Returns the second part of a tick's label; empty at the axis' zero, where shares are not shown, and beyond the frame on
 * an axis that graphs share.
 */
function shareText({ share }: AxisLook, tick: number, whole: number): string {
  return share === undefined || tick === 0 || tick > whole ? '' : ` · ${share(tick, whole)}`;
}

function setText(label: HTMLElement, text: string): void {
  if (label.textContent !== text) label.textContent = text;
}

/** Minimum gap between two labels. */
const GAP_PX = 14;
/** Distance between a tick and its label. */
const LABEL_INSET_PX = 4;
/** Minimum distance between labels, however short; closer ones look cluttered. */
const LEAST_STEP_PX = 80;
/**
 * Maximum number of attempts to find a scale. If labels are too long, each attempt uses longer steps, which drops a
 * digit.
 */
const MAX_TRIES = 4;

/** An axis at one zoom: the visible range and its width on screen. */
interface AxisWindow {
  /** Measured from the axis' zero. */
  readonly range: WeightRange;
  readonly widthPx: number;
  /** End of the axis, measured from its zero. */
  readonly largest: number;
}

/**
 * Returns a scale whose steps leave room for the labels; null if there is no range to show. `characterPx` is the width
 * of one character of a label.
 */
export function scaleFor(look: AxisLook, window: AxisWindow, characterPx: number): AxisScale | null {
  const { range, widthPx, largest } = window;
  const { scale } = look;
  const weightPerPx = (range.last - range.first) / widthPx;
  if (!(weightPerPx > 0) || !Number.isFinite(weightPerPx)) return null;
  let roomPx = LEAST_STEP_PX;
  let found = scale(largest, roomPx * weightPerPx);
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const length = found.text(largest).length + shareText(look, largest, largest).length;
    const labelPx = length * characterPx + LABEL_INSET_PX + GAP_PX;
    if (labelPx * weightPerPx <= found.step) break;
    roomPx = Math.max(labelPx, roomPx * 1.5);
    found = scale(largest, roomPx * weightPerPx);
  }
  return found;
}

/** Returns the multiples of the step within a range, measured from the axis' zero. */
export function ticksIn({ step }: AxisScale, { first, last }: WeightRange): number[] {
  const ticks: number[] = [];
  // Rounding must not drop the tick at the left edge.
  for (let count = Math.ceil(first / step - 1e-9); count * step < last; count++) ticks.push(count * step);
  return ticks;
}
