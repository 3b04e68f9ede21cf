/** What wheel and drag ask for. Pixels are CSS pixels. */
export interface GestureHandlers {
  /** About a place across the width, 0 … 1; `factor` above 1 zooms in. */
  zoom(share: number, factor: number): void;
  /** To the right, by a share of the width. */
  pan(share: number): void;
  /** Down. */
  scroll(px: number): void;
}

/** Movement from which a press is a drag and no click. */
const DRAG_FROM_PX = 4;
/** A notch of most wheels is 100 or 120 px: 1.5 times nearer. */
const ZOOM_PER_PX = 0.0037;
/** No event zooms more than this many pixels' worth: some wheels send a whole turn at once. */
const MAX_WHEEL_PX = 240;
/** `WheelEvent.deltaMode` 1 and 2 count lines and pages. */
const LINE_PX = 18;
const PAGE_PX = 400;

/**
 * Ctrl+wheel (a trackpad's pinch comes as one) zooms, Shift+wheel and sideways wheels pan, a drag pans and scrolls. A wheel alone is
 * left to the browser. Clicks that end a drag reach nobody.
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
