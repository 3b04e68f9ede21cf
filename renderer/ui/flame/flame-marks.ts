import type { FunctionIndex } from '#core/model/brand.ts';
import type { DrawnSlice } from './drawn-slice.ts';
import { createOverlay, type FlameOverlay } from './flame-overlay.ts';
import type { MissingFrame, PointedFrame } from './flame-view.types.ts';

/** What is marked in a drawing, again after each drawing: hovered, picked, pointed at elsewhere, missing, too narrow to be drawn. */
export class FlameMarks {
  readonly #host: SVGSVGElement;
  readonly #overlay: FlameOverlay;
  #drawn: DrawnSlice | null = null;
  #characterPx = 0;
  #pointed: PointedFrame | null = null;
  #missing: MissingFrame | null = null;

  constructor(host: SVGSVGElement) {
    this.#host = host;
    this.#overlay = createOverlay(host);
  }

  /** `characterPx`: width of one character of the labels' face. */
  follow(drawn: DrawnSlice, characterPx: number): void {
    this.#drawn = drawn;
    this.#characterPx = characterPx;
    this.#host.setAttribute('width', String(drawn.layout.widthPx));
    this.#overlay.showBars(drawn.narrowFillers());
    this.#overlay.showOneSided(drawn.oneSided());
    this.#overlay.showHovered(null);
    this.#showPointed();
    this.#showMissing();
  }

  /** A row of the drawn slice; −1: none. */
  hover(row: number): void {
    this.#overlay.showHovered(this.#drawn?.box(row) ?? null);
  }

  /** `row`: of the selected frame; −1 where it is not drawn. */
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

  #showMissing(): void {
    if (this.#drawn === null) return;
    const place = this.#missing === null ? null : this.#drawn.placeOf(this.#missing.start, this.#missing.depth);
    const text = this.#missing?.text ?? '';
    this.#overlay.showMissing(place === null ? null : { ...place, text, characterPx: this.#characterPx });
  }
}
