import { useEffect, useState, type RefObject } from 'react';
import type { RowWindow } from './row-window.ts';

/** Longer than between two events of a gesture. */
const REST_MS = 150;

/**
 * Positions in view, in the order of their elements: the element of a position is that of `position % slots`. Elements that change places are
 * styled, laid out and painted anew, so while rows scroll they stay where they are, and what comes into view takes the place of what left. Once
 * scrolling rests, they are in the order of the rows, as a screen reader reads them; not while one is pressed, since the click of an element
 * that was moved meanwhile is lost.
 */
export function useSlotOrder(
  { first, count }: RowWindow,
  slots: number,
  body: RefObject<HTMLTableSectionElement | null>,
): number[] {
  const [rested, setRested] = useState(first);
  useEffect(() => {
    if (rested === first) return;
    const timer = setInterval(() => {
      if (body.current?.matches(':active') !== true) setRested(first);
    }, REST_MS);
    return () => clearInterval(timer);
  }, [first, rested, body]);
  return slotOrder({ first, count }, slots, rested);
}

/** `origin`: the position whose element is the first of them. */
export function slotOrder(
  { first, count }: Pick<RowWindow, 'first' | 'count'>,
  slots: number,
  origin: number,
): number[] {
  const rank = (position: number): number => (((position - origin) % slots) + slots) % slots;
  return Array.from({ length: count }, (_, at) => first + at).toSorted((a, b) => rank(a) - rank(b));
}
