import { useRef, type ReactElement, type ReactNode } from 'react';
import { useKeptFocus } from '../../ui/flame/input/kept-focus.ts';
import { usePart } from '../../ui/parts.tsx';
import './graphs.css';

/**
 * Shown instead of an empty graph: the reason and the remedy. The graph's keys that act on the view still work here.
 */
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
