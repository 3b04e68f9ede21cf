import type { ViewPoint } from './flame-graph.types.ts';

/** What the pointer does to frames. Targets are the elements it is on. */
export interface PointerHandlers {
  /** Null when it leaves. `whole`: Shift is held. */
  hover(target: EventTarget | null, point: ViewPoint, whole: boolean): void;
  /** `share`: where across the width, 0 … 1. */
  click(target: EventTarget | null, share: number): void;
  /** False where there is nothing to open a menu on. */
  menu(target: EventTarget | null, point: ViewPoint): boolean;
}

export function listenForPointer(area: HTMLElement, handlers: PointerHandlers, signal: AbortSignal): void {
  const point = (event: MouseEvent): ViewPoint => ({ x: event.clientX, y: event.clientY });
  area.addEventListener(
    'pointermove',
    (event) => {
      if (event.buttons === 0) handlers.hover(event.target, point(event), event.shiftKey);
    },
    { signal },
  );
  area.addEventListener('pointerleave', (event) => handlers.hover(null, point(event), false), { signal });
  area.addEventListener(
    'click',
    (event) => {
      const box = area.getBoundingClientRect();
      handlers.click(event.target, (event.clientX - box.left) / box.width);
    },
    { signal },
  );
  area.addEventListener(
    'contextmenu',
    (event) => {
      if (handlers.menu(event.target, point(event))) event.preventDefault();
    },
    { signal },
  );
}
