import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { scrollTopToShow, steadyScrollTop } from './row-window.ts';
import type { Column } from './table.types.ts';

interface Reveal {
  /** What is selected: it scrolls into view when this changes. */
  readonly key: number | null;
  /** Where it is; −1: nowhere. */
  readonly position: number;
  readonly rowCount: number;
  readonly viewportPx: number;
  /** New columns mean new data. */
  readonly columns: readonly Column[];
  /** New data leaves the scroll position alone. */
  readonly keepScroll: boolean;
  readonly rowPx: number;
}

/** A new selection scrolls into view; sorting and filtering leave the scroll position to the user. */
export function useReveal(scroller: RefObject<HTMLElement | null>, reveal: Reveal): void {
  const { key, position, rowCount, viewportPx, columns, keepScroll, rowPx } = reveal;
  const shownColumns = useRef(columns);
  const revealed = useRef<number | null>(null);
  useEffect(() => {
    const element = scroller.current;
    const refreshed = shownColumns.current !== columns;
    shownColumns.current = columns;
    if (element === null || key === revealed.current || position < 0 || viewportPx === 0) return;
    revealed.current = key;
    if (keepScroll && refreshed) return;
    const target = scrollTopToShow(rowCount, viewportPx, element.scrollTop, position, rowPx);
    if (target !== element.scrollTop) element.scrollTo({ top: target });
  }, [scroller, key, position, rowCount, viewportPx, columns, keepScroll, rowPx]);
}

/** Rows that come or go leave the topmost one where it is, also in tables so long that scrolling is in proportion. */
export function useSteadyTop(
  scroller: RefObject<HTMLElement | null>,
  {
    rowCount,
    viewportPx,
    scrollTop,
    rowPx,
  }: { rowCount: number; viewportPx: number; scrollTop: number; rowPx: number },
): void {
  const before = useRef(rowCount);
  useLayoutEffect(() => {
    const rowsBefore = before.current;
    before.current = rowCount;
    if (rowsBefore === rowCount || viewportPx === 0) return;
    const target = steadyScrollTop(rowsBefore, rowCount, viewportPx, scrollTop, rowPx);
    if (target !== scrollTop) scroller.current?.scrollTo({ top: target });
  }, [scroller, rowCount, viewportPx, scrollTop, rowPx]);
}
