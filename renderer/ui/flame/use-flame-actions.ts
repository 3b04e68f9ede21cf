import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { createFlameActions, type FlameActions, type FlameHands } from './flame-actions.ts';
import type { FlameView } from './flame-view.ts';

type Given = Omit<FlameHands, 'view'> & { readonly view: RefObject<FlameView | null> };

/** The graph's actions, which keep their identity and act on what the component shows when they are called. */
export function useFlameActions(given: Given): FlameActions {
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  const [actions] = useState(() =>
    createFlameActions({
      get current() {
        return { ...latest.current, view: latest.current.view.current };
      },
    }),
  );
  return actions;
}
