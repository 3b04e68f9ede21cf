import { useRef, useState, type PointerEvent, type RefObject } from 'react';

/** Shorter movements are clicks. */
const MIN_DRAG_PX = 5;

/** Handlers that make a column's header draggable. */
export interface ColumnDrag {
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
  /** Returns whether a click ends a drag; call it once per click. */
  readonly endsHere: () => boolean;
}

interface Grip {
  readonly index: number;
  readonly startX: number;
  /** Where the column would be dropped; null before the first movement. */
  readonly to: number | null;
}

/**
 * Makes columns draggable by their headers in `row`; `onMove` receives a column's index and by how many positions it
 * moves to the right.
 */
export function useColumnDrag(row: RefObject<HTMLTableRowElement | null>, onMove: (index: number, by: number) => void) {
  const grip = useRef<Grip | null>(null);
  const ended = useRef(false);
  const [drop, setDrop] = useState<Grip | null>(null);

  function hold(next: Grip | null): void {
    grip.current = next;
    setDrop(next?.to === null ? null : next);
  }

  function move(event: PointerEvent): void {
    const { current } = grip;
    if (current === null || row.current === null) return;
    if (current.to === null && Math.abs(event.clientX - current.startX) < MIN_DRAG_PX) return;
    hold({ ...current, to: placeAt([...row.current.children], current.index, event.clientX) });
  }

  function release(): void {
    const { current } = grip;
    hold(null);
    if (current === null || current.to === null) return;
    ended.current = true;
    if (current.to !== current.index) onMove(current.index, current.to - current.index);
  }

  return {
    /** Returns the edge of a column at which the drag would drop. */
    markAt: (index: number): 'before' | 'after' | undefined => {
      if (drop === null || drop.to !== index || drop.to === drop.index) return undefined;
      return drop.to < drop.index ? 'before' : 'after';
    },
    of: (index: number): ColumnDrag => ({
      handlers: {
        onPointerDown: (event) => {
          ended.current = false;
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          hold({ index, startX: event.clientX, to: null });
        },
        onPointerMove: move,
        onPointerUp: release,
        onPointerCancel: () => hold(null),
      },
      endsHere: () => {
        const was = ended.current;
        ended.current = false;
        return was;
      },
    }),
  };
}

/** Returns the position of a column held at `x` among the cells; the first column is fixed. */
function placeAt(cells: readonly Element[], index: number, x: number): number {
  const isBefore = (cell: Element): boolean => {
    const { left, width } = cell.getBoundingClientRect();
    return left + width / 2 < x;
  };
  return Math.max(1, cells.filter((cell, at) => at !== index && isBefore(cell)).length);
}
