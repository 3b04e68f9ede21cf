import type { Orientation } from './flame-graph.types.ts';
import type { WalkStep } from './slice-navigation.ts';

export type FlameKey =
  | { readonly kind: 'walk'; readonly step: WalkStep }
  | { readonly kind: 'match'; readonly step: 1 | -1 }
  /** `factor` above 1 is nearer. */
  | { readonly kind: 'scale'; readonly factor: number }
  /** To the right, by a share of the width. */
  | { readonly kind: 'pan'; readonly share: number }
  | { readonly kind: 'zoom' | 'back' | 'home' | 'copy' | 'search' | 'invert' | 'menu' };

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const KEY_ZOOM = 1.5;
const PAN_SHARE = 0.2;

/** For the graph's description to screen readers. */
export const KEYBOARD_HELP =
  'Arrow keys walk to caller, callee and neighbours. Enter zooms, Escape goes back, Home shows all. ' +
  'Plus and minus zoom about the selected frame, Shift with left or right moves along. ' +
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
      if (press.shiftKey) return { kind: 'pan', share: -PAN_SHARE };
      return { kind: 'walk', step: 'previous' };
    case 'ArrowRight':
      if (press.shiftKey) return { kind: 'pan', share: PAN_SHARE };
      return { kind: 'walk', step: 'next' };
    case '+':
    case '=':
      return { kind: 'scale', factor: KEY_ZOOM };
    case '-':
    case '_':
      return { kind: 'scale', factor: 1 / KEY_ZOOM };
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
