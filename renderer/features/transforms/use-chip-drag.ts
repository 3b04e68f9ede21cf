import { useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from 'react';

/** Where the dragged chip would be dropped. */
interface DropPlace {
  readonly index: number;
  readonly side: 'before' | 'after';
}

/** Handlers that make a button draggable within its list. */
export interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  /** Ignores the click that ends a drag. */
  readonly onClickCapture: (event: MouseEvent) => void;
}

interface ChipDrag {
  readonly handlers: (index: number) => DragHandlers;
  /** Null if nothing is dragged, or if it is outside the list. */
  readonly place: DropPlace | null;
}

/** Distance in pixels below which a press is a click. */
const DRAG_FROM_PX = 5;

/**
 * Makes the `data-chip` items of a list draggable. Calls `move(from, to)`, where `to` is the index in the list without
 * the dragged item.
 */
export function useChipDrag(list: RefObject<HTMLElement | null>, move: (from: number, to: number) => void): ChipDrag {
  const press = useRef<{ readonly x: number; readonly y: number; dragging: boolean } | null>(null);
  const ignoreClick = useRef(false);
  const [place, setPlace] = useState<DropPlace | null>(null);
  const end = (): void => {
    press.current = null;
    setPlace(null);
  };
  const handlers = (from: number): DragHandlers => ({
    onPointerDown: ({ button, clientX, clientY }) => {
      ignoreClick.current = false;
      press.current = button === 0 ? { x: clientX, y: clientY, dragging: false } : null;
    },
    onPointerMove: ({ clientX, clientY, currentTarget, pointerId }) => {
      const began = press.current;
      if (began === null) return;
      if (!began.dragging && Math.hypot(clientX - began.x, clientY - began.y) < DRAG_FROM_PX) return;
      began.dragging = true;
      currentTarget.setPointerCapture(pointerId);
      const at = placeAt(list.current, clientX, clientY);
      setPlace(at?.index === from ? null : at);
    },
    onPointerUp: () => {
      if (press.current?.dragging === true) {
        ignoreClick.current = true;
        if (place !== null) {
          const gap = place.index + (place.side === 'after' ? 1 : 0);
          move(from, gap > from ? gap - 1 : gap);
        }
      }
      end();
    },
    onPointerCancel: end,
    onClickCapture: (event) => {
      if (!ignoreClick.current) return;
      ignoreClick.current = false;
      event.stopPropagation();
    },
  });
  return { handlers, place };
}

function placeAt(list: HTMLElement | null, x: number, y: number): DropPlace | null {
  const chip = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-chip]') ?? null;
  if (chip === null || list?.contains(chip) !== true) return null;
  const { left, width } = chip.getBoundingClientRect();
  return { index: Number(chip.dataset['chip']), side: x < left + width / 2 ? 'before' : 'after' };
}
