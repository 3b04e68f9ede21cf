import type { DrawnSlice } from '../chart/drawn-slice.ts';
import type { ViewPoint } from '../graph.types.ts';
import { lineageOf } from '../lineage.ts';
import type { FrameDetail } from '../tooltip/frame-detail.ts';
import { NO_HIT, type SliceHit } from './slice-hit.ts';

interface HoverEvents {
  /** Called with the row of the drawn slice; −1 for none. */
  onRow(row: number): void;
  onHover(detail: FrameDetail | null, point: ViewPoint, whole: boolean): void;
}

interface Pointer {
  readonly point: ViewPoint;
  /** True while Shift is held. */
  readonly whole: boolean;
}

/** The hovered frame. It stays the same one, found by its path, while a growing tree is drawn again. */
export class FlameHover {
  readonly #events: HoverEvents;
  #hit = NO_HIT;
  /** Where the pointer rests; null if it is elsewhere, or a menu is open. */
  #pointer: Pointer | null = null;

  constructor(events: HoverEvents) {
    this.#events = events;
  }

  /** Follows the pointer; null if it has left. */
  point(pointer: Pointer | null, hitAt: (point: ViewPoint) => SliceHit): void {
    this.#pointer = pointer;
    if (pointer === null) this.clear();
    else this.#show(hitAt(pointer.point), pointer);
  }

  clear(): void {
    this.#show(NO_HIT, null);
  }

  /** Hides the frame until the pointer moves. */
  rest(): void {
    this.#pointer = null;
  }

  /** Follows a new drawing. */
  follow(before: DrawnSlice | null, drawn: DrawnSlice, hitAt: (point: ViewPoint) => SliceHit): void {
    const lineage = before && lineageOf(before.answer.source, drawn.answer.source);
    const { row: last } = this.#hit;
    this.clear();
    if (!lineage || this.#pointer === null) return;
    const row = lineage.rowOfPath(drawn.data, before.data, last);
    this.#show(row < 0 ? hitAt(this.#pointer.point) : { row, detail: drawn.detail(row) }, this.#pointer);
  }

  #show(hit: SliceHit, pointer: Pointer | null): void {
    if (hit.detail === null && this.#hit.detail === null) return;
    if (hit.row !== this.#hit.row) this.#events.onRow(hit.row);
    this.#hit = hit;
    this.#events.onHover(hit.detail, pointer?.point ?? { x: 0, y: 0 }, pointer?.whole ?? false);
  }
}
