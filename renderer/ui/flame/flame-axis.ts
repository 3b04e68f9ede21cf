import { LABEL_INSET_PX, scaleFor, ticksIn, type AxisWindow } from './axis-ticks.ts';
import type { DrawnSlice } from './drawn-slice.ts';
import type { AxisLook } from './flame-graph.types.ts';
import { rowTop } from './flame-layout.ts';
import type { WeightRange } from '../../../core/analyze/graph/weight-range.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Ticks in the unit of what is drawn: labels above the graph, which follow each frame of a gesture, and lines behind it, which stretch with it. */
export class FlameAxis {
  readonly #ticks: HTMLElement;
  readonly #lines = document.createElementNS(SVG, 'path');
  #labels: readonly HTMLElement[] = [];
  #drawn: DrawnSlice | null = null;
  #look: AxisLook | null = null;
  #characterPx = 0;

  /** `ticks` is as wide as the view; `grid` lies below the frames of the layer that moves with a gesture. */
  constructor(ticks: HTMLElement, grid: SVGSVGElement) {
    this.#ticks = ticks;
    grid.append(this.#lines);
  }

  /** After a drawing, and before it is placed. */
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

  /** With each frame of a gesture. `range`: what is in view of the zoomed root. */
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
      const fits = left + LABEL_INSET_PX + text.length * this.#characterPx <= widthPx;
      setText(label, fits ? text : '');
      label.style.transform = `translateX(${Math.floor(left)}px)`;
    });
  }

  dispose(): void {
    this.#keep(0);
    this.#lines.remove();
  }

  /** Weights of a tree begin at the left edge of what is zoomed into; times are those of the whole. */
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

/** From where to where the rows reach that were asked for, in the pixels of the drawing; beyond the deepest row to its end. */
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

function setText(label: HTMLElement, text: string): void {
  if (label.textContent !== text) label.textContent = text;
}
