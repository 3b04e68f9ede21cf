import type { FunctionIndex, CallNodeIndex } from '#core/model/brand.ts';
import { pinText, type Pin } from '../../pin.ts';
import type { DrawnSlice } from './drawn-slice.ts';
import type { FrameBox } from './layout.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Maximum number of pins drawn; the list has the rest. */
const MAX_PINS = 200;
/** Minimum width of a frame with a pin. */
const MIN_PINNED_PX = 10;
const PADDING_PX = 4;
const GAP_PX = 2;

interface PlacedPin {
  readonly pin: Pin;
  readonly box: FrameBox;
  /** Number of pins to the left on the same frame. */
  readonly before: number;
  /** Left edge of the frame's visible part. */
  readonly left: number;
  readonly right: number;
}

/** Returns the pins of drawn frames; a function's pin is on its widest frame. */
export function placePins(pins: readonly Pin[], drawn: DrawnSlice): PlacedPin[] {
  if (pins.length === 0) return [];
  const { viewLeftPx, viewWidthPx } = drawn.layout;
  const onFrame = new Map<number, number>();
  const widest = new Map<number, FrameBox | null>();
  const placed: PlacedPin[] = [];
  for (const pin of pins) {
    const box =
      pin.node !== null
        ? drawn.box(drawn.rowOf(pin.node as CallNodeIndex))
        : pin.func === null
          ? null
          : widestOf(drawn, pin.func as FunctionIndex, widest);
    if (box === null || box.width < MIN_PINNED_PX || placed.length >= MAX_PINS) continue;
    const key = box.left * 1e5 + box.top;
    const before = onFrame.get(key) ?? 0;
    onFrame.set(key, before + 1);
    const right = Math.min(box.left + box.width, viewLeftPx + viewWidthPx);
    placed.push({ pin, box, before, left: Math.max(box.left, viewLeftPx), right });
  }
  return placed;
}

function widestOf(drawn: DrawnSlice, func: FunctionIndex, known: Map<number, FrameBox | null>): FrameBox | null {
  const before = known.get(func);
  if (before !== undefined) return before;
  let widest: FrameBox | null = null;
  for (const box of drawn.boxesOf(func)) if (widest === null || box.width > widest.width) widest = box;
  known.set(func, widest);
  return widest;
}

export interface PinLayer {
  /** Draws the pins; `characterPx` is the width of one character. */
  show(pins: readonly PlacedPin[], characterPx: number): void;
}

/** Creates the layer that draws pins at the right end of frames, above the outlines. Elements are reused. */
export function createPinLayer(host: SVGSVGElement): PinLayer {
  const layer = document.createElementNS(SVG, 'g');
  layer.setAttribute('class', 'pins');
  let shown = '';
  return {
    show(pins, characterPx) {
      if (pins.length === 0) {
        layer.remove();
        shown = '';
        return;
      }
      const key = JSON.stringify([characterPx, pins]);
      // Called for each element of a drawing; unchanged pins are not redrawn.
      if (key === shown && layer.parentNode === host) return;
      shown = key;
      layer.replaceChildren(...pins.map((pin) => drawPin(pin, characterPx)));
      host.append(layer);
    },
  };
}

function drawPin({ pin, box, before, left, right }: PlacedPin, characterPx: number): SVGGElement {
  const group = document.createElementNS(SVG, 'g');
  const text = String(pin.number);
  const width = Math.max(text.length * characterPx + 2 * PADDING_PX, 14);
  const height = Math.min(14, box.height - 2);
  const x = Math.max(left, right - (before + 1) * (width + GAP_PX));
  const y = box.top + (box.height - height) / 2;
  group.setAttribute('class', `pin pin-${pin.colour}${pin.isFaint ? ' faint' : ''}`);
  group.setAttribute('data-pin', pin.id);
  const ground = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ x, y, width, height, rx: height / 2 }))
    ground.setAttribute(name, String(value));
  const label = document.createElementNS(SVG, 'text');
  label.setAttribute('x', String(x + width / 2));
  label.setAttribute('y', String(y + height / 2 + 3.5));
  label.textContent = text;
  const title = document.createElementNS(SVG, 'title');
  title.textContent = pinText(pin);
  group.append(title, ground, label);
  return group;
}
