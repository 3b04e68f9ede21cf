import type { FunctionIndex } from '#core/model/brand.ts';
import type { Pin } from '../../pin.ts';
import type { DrawnSlice } from './drawn-slice.ts';
import { createPinLayer, placePins, type PinLayer } from './pins.ts';
import { createOverlay, type FlameOverlay } from './overlay.ts';
import type { MissingFrame, PointedFrame } from '../view.types.ts';

/**
 * Marks frames of a drawing and reapplies the marks after each one: hovered, selected, highlighted elsewhere, missing,
 * or too narrow to draw.
 */
export class FlameMarks {
  readonly #host: SVGSVGElement;
  readonly #overlay: FlameOverlay;
  #drawn: DrawnSlice | null = null;
  #characterPx = 0;
  #pointed: PointedFrame | null = null;
  #missing: MissingFrame | null = null;
  readonly #pinLayer: PinLayer;
  #pins: readonly Pin[] = [];

  constructor(host: SVGSVGElement) {
    this.#host = host;
    this.#overlay = createOverlay(host);
    this.#pinLayer = createPinLayer(host);
  }

  /** `characterPx` is the width of one character of the labels' font. */
  follow(drawn: DrawnSlice, characterPx: number): void {
    this.#drawn = drawn;
    this.#characterPx = characterPx;
    this.#host.setAttribute('width', String(drawn.layout.widthPx));
    this.#overlay.showBars(drawn.narrowFillers());
    this.#overlay.showOneSided(drawn.oneSided());
    this.#overlay.showHovered(null);
    this.#showPointed();
    this.#showMissing();
    this.#showPins();
  }

  /** Marks a row of the drawn slice as hovered; −1 for none. */
  hover(row: number): void {
    this.#overlay.showHovered(this.#drawn?.box(row) ?? null);
  }

  /** Marks the selected frame, whose row is −1 if it is not drawn, and the frames of its function. */
  select(row: number, func: FunctionIndex | null): void {
    if (this.#drawn === null) return;
    this.#overlay.showSame(this.#drawn.boxesOf(func));
    this.#overlay.showSelected(this.#drawn.box(row));
  }

  pointAt(pointed: PointedFrame | null): void {
    this.#pointed = pointed;
    this.#showPointed();
  }

  miss(missing: MissingFrame | null): void {
    this.#missing = missing;
    this.#showMissing();
  }

  pin(pins: readonly Pin[]): void {
    this.#pins = pins;
    this.#showPins();
  }

  dispose(): void {
    this.#host.textContent = '';
    this.#drawn = null;
  }

  #showPointed(): void {
    if (this.#drawn === null) return;
    const { node, func } = this.#pointed ?? { node: null, func: null };
    const box = this.#drawn.box(this.#drawn.rowOf(node));
    this.#overlay.showPointed(box === null ? (node === null ? this.#drawn.boxesOf(func) : []) : [box]);
  }

  #showPins(): void {
    if (this.#drawn !== null) this.#pinLayer.show(placePins(this.#pins, this.#drawn), this.#characterPx);
  }

  #showMissing(): void {
    if (this.#drawn === null) return;
    const place = this.#missing === null ? null : this.#drawn.placeOf(this.#missing.start, this.#missing.depth);
    const text = this.#missing?.text ?? '';
    this.#overlay.showMissing(place === null ? null : { ...place, text, characterPx: this.#characterPx });
  }
}
