import { useParts, type Parts } from '../../parts.tsx';
import { createContext, useContext, useLayoutEffect, type RefObject } from 'react';

/** Remembers whether a graph had the focus when it was replaced by another. */
interface FocusKeeper {
  keep(): void;
  /** Returns true once, for the graph that should get the focus. */
  take(): boolean;
}

/** Creates a keeper. The first graph gets the focus, so that its keys work immediately. */
export function focusKeeper(): FocusKeeper {
  let kept = true;
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

/**
 * Moves the focus to this graph if it is the first of its pane or the graph that it replaces had it, unless the focus
 * is elsewhere by now. The library's row of the active tab, from which it was opened, passes its focus on; another row
 * keeps it.
 */
export function useKeptFocus(scroller: RefObject<HTMLElement | null>): void {
  const keeper = useContext(KeptFocus);
  const parts = useParts();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (keeper === null || element === null) return undefined;
    const active = document.activeElement;
    const isFree = active === null || active === document.body || isActiveRow(parts, active);
    if (keeper.take() && isFree && document.querySelector('dialog[open]') === null) {
      element.focus({ preventScroll: true });
    }
    return () => {
      if (document.activeElement === element) keeper.keep();
    };
  }, [keeper, scroller, parts]);
}

const isActiveRow = (parts: Parts | null, focused: Element): boolean =>
  parts?.holds('library', focused) === true && focused.matches('button[aria-current=true]');
