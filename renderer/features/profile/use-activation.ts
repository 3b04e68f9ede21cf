import { useEffect, useRef } from 'react';

interface Activation {
  readonly onFocusCapture: () => void;
  readonly onPointerDownCapture: () => void;
}

/**
 * Tells that the focus or a press came into an element. A press tells once it is over: what follows from it may move what is pressed,
 * and the click would meet something else.
 */
export function useActivation(activate: () => void): Activation {
  const pressing = useRef(false);
  const newest = useRef(activate);
  const ends = useRef<(() => void) | null>(null);
  useEffect(() => {
    newest.current = activate;
  }, [activate]);
  useEffect(() => () => ends.current?.(), []);
  return {
    onFocusCapture: () => {
      if (!pressing.current) activate();
    },
    onPointerDownCapture: () => {
      ends.current?.();
      pressing.current = true;
      const release = (): void => {
        end();
        // The click comes in the same task as the release.
        setTimeout(() => {
          newest.current();
        }, 0);
      };
      const end = (): void => {
        pressing.current = false;
        ends.current = null;
        for (const type of ['pointerup', 'pointercancel']) window.removeEventListener(type, release, true);
      };
      for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, release, true);
      ends.current = end;
    },
  };
}
