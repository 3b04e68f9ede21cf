import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';
import { chosenRange, enterSelectedRange, leaveInnerRanges, type TimeChoice } from './committed-ranges.ts';
import { movedRange, pannedWindow, resizedRange, windowAround, zoomedWindow } from './time-scale.ts';

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

interface Scene {
  readonly window: TimeRange;
  readonly whole: TimeRange;
  readonly chosen: TimeRange | null;
}

/** Step of an arrow key, as a fraction of the window. */
const KEY_STEP = 0.02;
const ZOOM_STEP = 1.5;

/** Returns whether the key has no modifier that would make it the window's or the browser's. */
export const isPlainKey = ({ ctrlKey, metaKey, altKey }: Key): boolean => !ctrlKey && !metaKey && !altKey;

/** Returns the window that a shortcut selects (null for the whole); undefined if it selects none. */
export function windowForShortcut(
  id: ShortcutId | null,
  { window, whole, chosen }: Scene,
): TimeRange | null | undefined {
  const middle = chosen === null ? (window.start + window.end) / 2 : (chosen.start + chosen.end) / 2;
  const about = Math.max(window.start, Math.min(window.end, middle));
  switch (id) {
    case 'time.nearer':
      return zoomedWindow(window, whole, about, 1 / ZOOM_STEP);
    case 'time.farther':
      return zoomedWindow(window, whole, about, ZOOM_STEP);
    case 'time.whole':
      return null;
    case 'time.to-range':
      return chosen === null ? undefined : windowAround(chosen, whole);
    case 'time.earlier':
    case 'time.later': {
      const isWhole = window.start === whole.start && window.end === whole.end;
      return isWhole ? undefined : pannedWindow(window, whole, id === 'time.earlier' ? -0.5 : 0.5);
    }
    default:
      return undefined;
  }
}

/** Returns the committed ranges after a shortcut; undefined if it changes nothing. */
export function timeChoiceFor(id: ShortcutId | null, choice: TimeChoice): TimeChoice | undefined {
  const { committed } = choice;
  if (id === 'time.commit') return chosenRange(choice) === null ? undefined : enterSelectedRange(choice);
  if (id === 'time.out' && committed.length > 0) return leaveInnerRanges(committed, committed.length - 1);
  return undefined;
}

/** Returns the range that a key of the strip selects (null for none); undefined if it selects nothing. */
export function rangeForKey(key: Key, { window, whole, chosen }: Scene): TimeRange | null | undefined {
  if (!isPlainKey(key)) return undefined;
  const step = KEY_STEP * (window.end - window.start);
  const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[key.key];
  if (by !== undefined) {
    return key.shiftKey ? resizedRange(chosen, window, whole, 'end', by) : movedRange(chosen, window, whole, by);
  }
  if (chosen === null) return undefined;
  if (key.key === 'Escape') return null;
  if (key.key === 'Home') return movedRange(chosen, window, whole, whole.start - whole.end);
  if (key.key === 'End') return movedRange(chosen, window, whole, whole.end - whole.start);
  return undefined;
}
