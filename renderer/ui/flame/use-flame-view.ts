import { useLayoutEffect, useRef, type RefObject } from 'react';
import { FlameView } from './view.ts';
import type { FlameViewEvents, FlameViewState } from './view.types.ts';

interface FlameViewHandle {
  readonly view: RefObject<FlameView | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
  readonly chart: RefObject<HTMLDivElement | null>;
  readonly overlay: RefObject<SVGSVGElement | null>;
  readonly grid: RefObject<SVGSVGElement | null>;
  readonly ticks: RefObject<HTMLDivElement | null>;
}

/**
 * Creates the drawing of a flame graph within elements that the component renders; null before it is mounted. `rowPx`
 * must not change.
 */
export function useFlameView(state: FlameViewState, events: FlameViewEvents, rowPx: number): FlameViewHandle {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const chart = useRef<HTMLDivElement>(null);
  const overlay = useRef<SVGSVGElement>(null);
  const grid = useRef<SVGSVGElement>(null);
  const ticks = useRef<HTMLDivElement>(null);
  const view = useRef<FlameView | null>(null);
  const latest = useRef(events);
  useLayoutEffect(() => {
    latest.current = events;
  });
  useLayoutEffect(() => {
    const made = new FlameView(
      {
        scroller: scroller.current!,
        content: content.current!,
        layer: layer.current!,
        chart: chart.current!,
        overlay: overlay.current!,
        grid: grid.current!,
        ticks: ticks.current!,
      },
      {
        onHover: (detail, point, whole) => latest.current.onHover(detail, point, whole),
        onClick: (detail, share, away) => latest.current.onClick(detail, share, away),
        onContextMenu: (detail, point) => latest.current.onContextMenu(detail, point),
        onPin: (id) => latest.current.onPin(id),
        onScroll: (rootDistancePx) => latest.current.onScroll(rootDistancePx),
        onDrawn: (data) => latest.current.onDrawn(data),
        onRange: (range) => latest.current.onRange(range),
        onViewport: (first, last) => latest.current.onViewport(first, last),
        onRows: (rows) => latest.current.onRows(rows),
        onError: (message) => latest.current.onError(message),
      },
      rowPx,
    );
    view.current = made;
    return () => {
      made.dispose();
      view.current = null;
    };
  }, [rowPx]);
  useLayoutEffect(() => view.current?.setState(state), [state]);
  return { view, scroller, content, layer, chart, overlay, grid, ticks };
}
