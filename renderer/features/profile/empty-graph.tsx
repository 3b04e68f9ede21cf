import { useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useKeptFocus } from '../../ui/flame/kept-focus.ts';
import { usePart } from '../../ui/parts.tsx';
import './graphs.css';

/** In place of a graph with nothing to draw: why, and what to do. The graph's keys that act on the view go on here. */
export function EmptyGraph({ children }: { readonly children: ReactNode }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useKeptFocus(place);
  usePart('graph', place);
  return (
    <div ref={place} className="graph-empty" tabIndex={-1}>
      {children}
    </div>
  );
}
