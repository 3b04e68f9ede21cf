import type { ViewPoint } from './flame-graph.types.ts';

/** What the pointer does. Points are in the window. */
export interface PointerHandlers {
  /** Null when it leaves. `whole`: Shift is held. */
  hover(point: ViewPoint | null, whole: boolean): void;
  click(point: ViewPoint): void;
  /** False where there is nothing to open a menu on. */
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
  area.addEventListener('click', (event) => handlers.click(point(event)), { signal });
  area.addEventListener(
    'contextmenu',
    (event) => {
      if (handlers.menu(point(event))) event.preventDefault();
    },
    { signal },
  );
}
