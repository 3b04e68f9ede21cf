import { useEffect, useRef, useState, type PointerEvent, type PointerEventHandler, type RefObject } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { pannedWindow, rangeBetween, timeAt, zoomedWindow } from './time-scale.ts';

export interface Hover {
  readonly time: number;
  readonly x: number;
  readonly y: number;
  /** The row under the pointer; see `data-time-row`. Null for the strip of all threads. */
  readonly row: number | null;
}

interface TimePointerOptions {
  /** An element as wide as the window of time. */
  readonly track: RefObject<HTMLElement | null>;
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly onWindow: (window: TimeRange | null) => void;
  readonly onRange: (range: TimeRange) => void;
  /** Called for a press without movement on the strip of all threads. */
  readonly onClick: (time: number) => void;
}

interface TimePointer {
  /** The range being dragged. */
  readonly drag: TimeRange | null;
  readonly hover: Hover | null;
  readonly handlers: {
    readonly onPointerDown: PointerEventHandler<HTMLElement>;
    readonly onPointerMove: PointerEventHandler<HTMLElement>;
    readonly onPointerUp: PointerEventHandler<HTMLElement>;
    readonly onPointerCancel: () => void;
    readonly onPointerLeave: () => void;
    readonly onClickCapture: (event: { stopPropagation: () => void }) => void;
  };
}

/** Fields and buttons between the track and its rows, where no moment is under the pointer. */
const OUTSIDE = '[data-time-outside]';
/** Shorter drags are clicks. */
const CLICK_PX = 3;
/** Zoom factor per wheel unit; a notch of 100 units zooms by a third. */
const ZOOM_PER_UNIT = 1.003;
const LINE_PX = 33;

/** Handles dragging a range, hovering, and zooming with the wheel, anywhere above or below the track. */
export function useTimePointer(body: RefObject<HTMLElement | null>, needs: TimePointerOptions): TimePointer {
  const [drag, setDrag] = useState<TimeRange | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const pressed = useRef<{ readonly time: number; readonly x: number; readonly onStrip: boolean } | null>(null);
  const dragged = useRef(false);
  const { whole, window } = needs;

  const timeOf = (x: number): number | null => {
    const box = needs.track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return null;
    return timeAt(window, Math.max(0, Math.min(1, (x - box.left) / box.width)));
  };
  const isOver = (x: number): boolean => {
    const box = needs.track.current?.getBoundingClientRect();
    return box !== undefined && x >= box.left && x <= box.right;
  };
  useWheel(body, { ...needs, timeOf });

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    dragged.current = false;
    const target = event.target as Element;
    const time = timeOf(event.clientX);
    if (event.button !== 0 || time === null || !isOver(event.clientX)) return;
    if (target.closest(`[data-time-control], ${OUTSIDE}`) !== null) return;
    pressed.current = { time, x: event.clientX, onStrip: target.closest('.time-track') !== null };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const time = timeOf(event.clientX);
    const target = event.target as Element;
    const row = target.closest('[data-time-row]')?.getAttribute('data-time-row') ?? null;
    const at = { x: event.clientX, y: event.clientY };
    const isNowhere = time === null || !isOver(at.x) || target.closest(OUTSIDE) !== null;
    setHover(isNowhere ? null : { time, ...at, row: row === null ? null : Number(row) });
    const from = pressed.current;
    if (from === null || time === null) return;
    if (!dragged.current && Math.abs(event.clientX - from.x) < CLICK_PX) return;
    if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = true;
    setDrag(rangeBetween(from.time, time, whole));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    const from = pressed.current;
    const time = timeOf(event.clientX);
    pressed.current = null;
    setDrag(null);
    if (from === null || time === null) return;
    const range = dragged.current ? rangeBetween(from.time, time, whole) : null;
    if (range !== null) needs.onRange(range);
    else if (!dragged.current && from.onStrip) needs.onClick(from.time);
  };
  return {
    drag,
    hover,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: () => {
        pressed.current = null;
        setDrag(null);
      },
      onPointerLeave: () => setHover(null),
      // The click that ends a drag selects nothing.
      onClickCapture: (event) => {
        if (dragged.current) event.stopPropagation();
        dragged.current = false;
      },
    },
  };
}

type WheelOptions = Pick<TimePointerOptions, 'whole' | 'window' | 'onWindow'> & {
  readonly timeOf: (x: number) => number | null;
};

/**
 * Handles the wheel: Ctrl zooms around the pointer; Shift, or a horizontal wheel, pans. It listens to the element
 * itself, because React's listener cannot prevent scrolling.
 */
export function useWheel(body: RefObject<HTMLElement | null>, needs: WheelOptions): void {
  const newest = useRef(needs);
  useEffect(() => {
    newest.current = needs;
  });
  useEffect(() => {
    const element = body.current;
    const turn = (event: WheelEvent): void => {
      const { whole, window, onWindow, timeOf } = newest.current;
      const at = timeOf(event.clientX);
      const unit = event.deltaMode === 0 ? 1 : LINE_PX;
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      const isWhole = window.start === whole.start && window.end === whole.end;
      if ((event.ctrlKey || event.metaKey) && at !== null) {
        onWindow(zoomedWindow(window, whole, at, ZOOM_PER_UNIT ** (event.deltaY * unit)));
      } else if (sideways !== 0 && Math.abs(sideways) >= Math.abs(event.shiftKey ? 0 : event.deltaY) && !isWhole) {
        onWindow(pannedWindow(window, whole, (sideways * unit) / 1000));
      } else return;
      event.preventDefault();
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [body]);
}
