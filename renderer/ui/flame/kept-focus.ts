import { createContext, useContext, useLayoutEffect, type RefObject } from 'react';

/** Of a place where one graph takes the place of another: whether the one that went had the focus. */
export interface FocusKeeper {
  keep(): void;
  /** Once: true for the graph that is to have it. */
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

/** Gives the focus of the graph that was here before to this one, unless it is elsewhere by now. */
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
