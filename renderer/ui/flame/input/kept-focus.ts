import { createContext, useContext, useLayoutEffect, type RefObject } from 'react';

/** Remembers whether a graph had the focus when it was replaced by another. */
interface FocusKeeper {
  keep(): void;
  /** Returns true once, for the graph that should get the focus. */
  take(): boolean;
}

export function focusKeeper(): FocusKeeper {
  let kept = false;
  return {
    keep() {
      kept = true;
    },
    take() {
      const had = kept;
      kept = false;
      return had;
    },
  };
}

export const KeptFocus = createContext<FocusKeeper | null>(null);

/** Moves the focus to this graph if the graph that it replaces had it, unless it is elsewhere by now. */
export function useKeptFocus(scroller: RefObject<HTMLElement | null>): void {
  const keeper = useContext(KeptFocus);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (keeper === null || element === null) return undefined;
    if (keeper.take() && document.activeElement === document.body) element.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === element) keeper.keep();
    };
  }, [keeper, scroller]);
}
