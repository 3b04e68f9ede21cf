import type { Orientation } from './flame-graph.types.ts';
import type { WalkStep } from './slice-navigation.ts';

export type FlameKey =
  | { readonly kind: 'walk'; readonly step: WalkStep }
  | { readonly kind: 'match'; readonly step: 1 | -1 }
  | { readonly kind: 'zoom' | 'back' | 'home' | 'copy' | 'search' | 'invert' | 'menu' };

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** For the graph's description to screen readers. */
export const KEYBOARD_HELP =
  'Arrow keys walk to caller, callee and neighbours. Enter zooms, Escape goes back, Home shows all. ' +
  'Slash searches, n and Shift n go to the next and previous match. i inverts, c copies the stack.';

/** What a key means to the graph; null: nothing. Up and down follow the picture: callees lie above in a flame graph, below in an icicle. */
export function flameKey(press: KeyPress, orientation: Orientation): FlameKey | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  switch (press.key) {
    case 'ArrowUp':
      return { kind: 'walk', step: orientation === 'flame' ? 'child' : 'parent' };
    case 'ArrowDown':
      return { kind: 'walk', step: orientation === 'flame' ? 'parent' : 'child' };
    case 'ArrowLeft':
      return { kind: 'walk', step: 'previous' };
    case 'ArrowRight':
      return { kind: 'walk', step: 'next' };
    case 'Enter':
      return { kind: 'zoom' };
    case 'Escape':
    case 'Backspace':
      return { kind: 'back' };
    case 'Home':
      return { kind: 'home' };
    case 'c':
      return { kind: 'copy' };
    case '/':
      return { kind: 'search' };
    case 'i':
      return { kind: 'invert' };
    case 'n':
    case 'N':
      return { kind: 'match', step: press.shiftKey ? -1 : 1 };
    case 'ContextMenu':
      return { kind: 'menu' };
    case 'F10':
      return press.shiftKey ? { kind: 'menu' } : null;
    default:
      return null;
  }
}
