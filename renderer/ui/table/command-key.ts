import type { KeyPress } from '../keys/chord.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';

/** The command that a key of a table runs for its picked row; null: it is none. */
export function commandKey(keymap: Keymap, press: KeyPress): ShortcutId | null {
  const id = keymap.at('table', press);
  return id?.startsWith('transform.') === true ? id : null;
}
