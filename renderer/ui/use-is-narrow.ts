import { useLayoutEffect, useState, type RefObject } from 'react';

/** Width in CSS pixels below which columns start narrow, so that function, self and total fit. */
const NARROW_PX = 760;

export function useIsNarrow(pane: RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = pane.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setNarrow(element.clientWidth < NARROW_PX));
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane]);
  return narrow;
}
