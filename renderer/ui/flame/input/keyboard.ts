import type { KeyPress } from '../../keys/chord.ts';
import { DEFAULT_KEYMAP, type Keymap } from '../../keys/keymap.ts';
import { SHORTCUTS, type ShortcutId } from '../../keys/shortcuts.ts';
import type { Orientation } from '../graph.types.ts';
import type { WalkStep } from './slice-navigation.ts';

export type FlameKey =
  | { readonly kind: 'walk'; readonly step: WalkStep }
  | { readonly kind: 'match'; readonly step: 1 | -1 }
  /** A `factor` above 1 zooms in. */
  | { readonly kind: 'scale'; readonly factor: number }
  /** Pans to the right by a fraction of the width. */
  | { readonly kind: 'pan'; readonly share: number }
  | {
      readonly kind: 'zoom' | 'back' | 'home' | 'copy' | 'copy-name' | 'copy-folded' | 'search' | 'invert' | 'menu';
    };

const KEY_ZOOM = 1.5;
const PAN_SHARE = 0.2;

/**
 * Returns the graph's action for a key; null if there is none. Up and down follow the picture: callees are above in a
 * flame graph, below in an icicle.
 */
export function flameKey(press: KeyPress, orientation: Orientation, keymap: Keymap = DEFAULT_KEYMAP): FlameKey | null {
  const id = keymap.at('graph', press);
  return id === null ? null : graphAction(id, orientation);
}

/** Returns the graph's action for a shortcut; null if there is none. */
export function graphAction(id: ShortcutId, orientation: Orientation): FlameKey | null {
  if (id === 'graph.up') return { kind: 'walk', step: orientation === 'flame' ? 'child' : 'parent' };
  if (id === 'graph.down') return { kind: 'walk', step: orientation === 'flame' ? 'parent' : 'child' };
  return KEYS.get(id) ?? null;
}

const KEYS: ReadonlyMap<ShortcutId, FlameKey> = new Map<ShortcutId, FlameKey>([
  ['graph.left', { kind: 'walk', step: 'previous' }],
  ['graph.right', { kind: 'walk', step: 'next' }],
  ['graph.pan-left', { kind: 'pan', share: -PAN_SHARE }],
  ['graph.pan-right', { kind: 'pan', share: PAN_SHARE }],
  ['graph.nearer', { kind: 'scale', factor: KEY_ZOOM }],
  ['graph.farther', { kind: 'scale', factor: 1 / KEY_ZOOM }],
  ['graph.zoom', { kind: 'zoom' }],
  ['graph.back', { kind: 'back' }],
  ['graph.home', { kind: 'home' }],
  ['graph.copy', { kind: 'copy' }],
  ['graph.copy-name', { kind: 'copy-name' }],
  ['graph.copy-folded', { kind: 'copy-folded' }],
  ['graph.search', { kind: 'search' }],
  ['graph.invert', { kind: 'invert' }],
  ['graph.next-match', { kind: 'match', step: 1 }],
  ['graph.previous-match', { kind: 'match', step: -1 }],
  ['graph.menu', { kind: 'menu' }],
]);

const HELP: readonly (readonly [ShortcutId, string])[] = [
  ['graph.zoom', 'zooms'],
  ['graph.back', 'goes back'],
  ['graph.home', 'shows all'],
  ['graph.search', 'searches'],
  ['graph.next-match', 'goes to the next match'],
  ['graph.menu', 'opens the menu'],
  ['graph.keys', 'lists all keys'],
];

/** Describes the graph's keys, as currently set, for screen readers. */
export function keyboardHelp(keymap: Keymap): string {
  const rows = HELP.flatMap(([id, what]) => {
    const keys = keymap.textOf(id);
    return keys === null ? [] : [`${keys.replaceAll(' · ', ' or ')} ${what}.`];
  });
  return ['Arrow keys move to caller, callee and siblings.', ...rows].join(' ');
}

/** Shortcuts of the graph that are also available as commands. */
export const GRAPH_COMMANDS: readonly { readonly id: ShortcutId; readonly what: string }[] = SHORTCUTS.filter(
  ({ id, place }) => place === 'graph' && id !== 'graph.search' && graphAction(id, 'flame') !== null,
);
