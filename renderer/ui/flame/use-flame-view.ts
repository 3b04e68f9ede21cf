import { useLayoutEffect, useRef, type RefObject } from 'react';
import { FlameView } from './view.ts';
import type { FlameViewElements, FlameViewEvents, FlameViewState } from './view.types.ts';

type ElementRefs = { readonly [Part in keyof FlameViewElements]: RefObject<FlameViewElements[Part] | null> };

interface FlameViewHandle extends ElementRefs {
  readonly view: RefObject<FlameView | null>;
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
    const elements = {
      scroller: scroller.current!,
      content: content.current!,
      layer: layer.current!,
      chart: chart.current!,
      overlay: overlay.current!,
      grid: grid.current!,
      ticks: ticks.current!,
    };
    const made = new FlameView(elements, latest, rowPx);
    view.current = made;
    return () => {
      made.dispose();
      view.current = null;
    };
  }, [rowPx]);
  useLayoutEffect(() => view.current?.setState(state));
  return { view, scroller, content, layer, chart, overlay, grid, ticks };
}
