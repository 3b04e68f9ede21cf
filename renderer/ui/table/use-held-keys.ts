import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

/**
 * Presses keys one after the other: while a step is on its way (`busy`), keys for the table wait for what it shows. A press that it holds
 * back counts as handled. Repeats of a key that is held down do not pile up.
 */
export function useHeldKeys(
  busy: boolean,
  press: (event: KeyboardEvent) => boolean,
): (event: KeyboardEvent) => boolean {
  const held = useRef<KeyboardEvent[]>([]);
  /** What a held key did is not drawn yet: a key that comes now would be judged by what is on the screen before it. */
  const drawing = useRef(false);
  const [pressed, showNext] = useState(0);
  useEffect(() => {
    if (busy) return;
    const next = held.current.shift();
    drawing.current = next !== undefined;
    if (next === undefined) return;
    press(next);
    showNext(pressed + 1);
  }, [busy, press, pressed]);
  return (event) => {
    const waits = busy || drawing.current || held.current.length > 0;
    if (!waits || !isForTable(event)) return press(event);
    if (!event.repeat || held.current.length === 0) held.current.push(event);
    return true;
  };
}

const NAMED_KEYS = /^(?:Arrow\w+|Page(?:Up|Down)|Home|End|Enter|Escape|F3|ContextMenu)$/;

/** Other keys are the window's, at once. */
function isForTable({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return !altKey && ['a', 'c', ' '].includes(key);
  if (altKey) return !shiftKey && key.startsWith('Arrow');
  return key.length === 1 || NAMED_KEYS.test(key);
}
