import type { ViewPoint } from '../graph.types.ts';

/** Actions of the wheel and of dragging. Pixels are CSS pixels. */
export interface GestureHandlers {
  /** Zooms around a position across the width, from 0 to 1; a `factor` above 1 zooms in. */
  zoom(share: number, factor: number): void;
  /** Pans to the right by a fraction of the width. */
  pan(share: number): void;
  /** Scrolls down. */
  scroll(px: number): void;
}

/** Distance from which a press is a drag instead of a click. */
const DRAG_FROM_PX = 4;
/** Zoom exponent per pixel. Most wheels scroll 100 or 120 px per notch, which zooms in by a factor of about 1.5. */
const ZOOM_PER_PX = 0.0037;
/** Maximum number of pixels per event; some wheels send a whole turn in one event. */
const MAX_WHEEL_PX = 240;
/** Pixels per line and page, for `WheelEvent.deltaMode` 1 and 2. */
const LINE_PX = 18;
const PAGE_PX = 400;

/**
 * Handles gestures: Ctrl+wheel, also a trackpad's pinch, zooms; Shift+wheel and horizontal wheels pan; a drag pans and
 * scrolls. The plain wheel is left to the browser. The click that ends a drag is swallowed.
 */
export function listenForGestures(area: HTMLElement, handlers: GestureHandlers, signal: AbortSignal): void {
  area.addEventListener('wheel', (event) => wheel(area, handlers, event), { passive: false, signal });
  listenForDrags(area, handlers, signal);
}

function wheel(area: HTMLElement, handlers: GestureHandlers, event: WheelEvent): void {
  const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? LINE_PX : PAGE_PX;
  const px = (delta: number) => Math.min(MAX_WHEEL_PX, Math.max(-MAX_WHEEL_PX, delta * unit));
  const box = area.getBoundingClientRect();
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    handlers.zoom(share, Math.exp(-px(event.deltaY) * ZOOM_PER_PX));
    return;
  }
  const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
  if (!event.shiftKey && Math.abs(sideways) <= Math.abs(event.deltaY)) return;
  event.preventDefault();
  handlers.pan(px(sideways) / box.width);
}

interface Drag {
  readonly pointer: number;
  x: number;
  y: number;
  moved: boolean;
}

function listenForDrags(area: HTMLElement, handlers: GestureHandlers, signal: AbortSignal): void {
  let drag: Drag | null = null;
  let swallowClick = false;
  const end = (event: PointerEvent) => {
    if (drag === null || drag.pointer !== event.pointerId) return;
    swallowClick = drag.moved && event.type === 'pointerup';
    drag = null;
    area.classList.remove('dragged');
  };
  area.addEventListener(
    'pointerdown',
    (event) => {
      swallowClick = false;
      if (event.button !== 0 || event.pointerType === 'touch') return;
      drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    },
    { signal },
  );
  area.addEventListener(
    'pointermove',
    (event) => {
      if (drag === null || drag.pointer !== event.pointerId) return;
      const right = event.clientX - drag.x;
      const down = event.clientY - drag.y;
      if (!drag.moved && Math.hypot(right, down) < DRAG_FROM_PX) return;
      if (!drag.moved) {
        area.setPointerCapture(event.pointerId);
        area.classList.add('dragged');
      }
      Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
      if (right !== 0) handlers.pan(-right / area.clientWidth);
      if (down !== 0) handlers.scroll(-down);
    },
    { signal },
  );
  area.addEventListener('pointerup', end, { signal });
  area.addEventListener('pointercancel', end, { signal });
  area.addEventListener(
    'click',
    (event) => {
      if (swallowClick) event.stopImmediatePropagation();
      swallowClick = false;
    },
    { capture: true, signal },
  );
}

/** Handlers for the pointer. Points are in the window. */
export interface PointerHandlers {
  /** `point` is null when the pointer leaves. `whole` is true while Shift is held. */
  hover(point: ViewPoint | null, whole: boolean): void;
  /** `away` is true for the middle button and with Ctrl. */
  click(point: ViewPoint, away: boolean): void;
  /** Called with the ID of a pin that was clicked. */
  pin(id: string): void;
  /** Returns false if there is nothing to open a menu for. */
  menu(point: ViewPoint): boolean;
}

export function listenForPointer(area: HTMLElement, handlers: PointerHandlers, signal: AbortSignal): void {
  const point = (event: MouseEvent): ViewPoint => ({ x: event.clientX, y: event.clientY });
  area.addEventListener(
    'pointermove',
    (event) => {
      if (event.buttons === 0) handlers.hover(point(event), event.shiftKey);
    },
    { signal },
  );
  area.addEventListener('pointerleave', () => handlers.hover(null, false), { signal });
  area.addEventListener(
    'click',
    (event) => {
      const pin = (event.target as Element).closest('[data-pin]')?.getAttribute('data-pin') ?? null;
      if (pin === null) handlers.click(point(event), event.ctrlKey || event.metaKey);
      else handlers.pin(pin);
    },
    { signal },
  );
  area.addEventListener(
    'mousedown',
    (event) => {
      // Otherwise the middle button starts to scroll.
      if (event.button === 1) event.preventDefault();
    },
    { signal },
  );
  area.addEventListener(
    'auxclick',
    (event) => {
      if (event.button === 1) handlers.click(point(event), true);
    },
    { signal },
  );
  area.addEventListener(
    'contextmenu',
    (event) => {
      if (handlers.menu(point(event))) event.preventDefault();
    },
    { signal },
  );
}
