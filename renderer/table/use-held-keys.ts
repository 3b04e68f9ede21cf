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
  const [pressed, showNext] = useState(0);
  useEffect(() => {
    if (busy) return;
    const next = held.current.shift();
    if (next === undefined) return;
    press(next);
    // What it did is drawn before the one after it is pressed.
    showNext(pressed + 1);
  }, [busy, press, pressed]);
  return (event) => {
    if ((!busy && held.current.length === 0) || !isForTable(event)) return press(event);
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
