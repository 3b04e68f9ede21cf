import type { KeyPress } from '../keys/chord.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';

/** Returns the command that a key runs for the selected row; null if there is none. */
export function commandKey(keymap: Keymap, press: KeyPress): ShortcutId | null {
  const id = keymap.at('table', press);
  return id === 'note.add' || id?.startsWith('transform.') === true ? id : null;
}
