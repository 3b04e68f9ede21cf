import type { NotesAround } from '../../state/notes/context.ts';
import type { MenuItem } from '../../ui/menu/menu.tsx';
import { pinText } from '../../ui/pin.ts';

/** Maximum number of notes in the menu; the list shows all. */
const MAX_ITEMS = 5;

/** Returns menu items that open the notes on a function or a frame. */
export function notesOn({ pins, open }: NotesAround, func: number, node: number | null): MenuItem[] {
  const own =
    node === null
      ? (pins.ofFunc.get(func) ?? [])
      : [...(pins.byNode.get(node) ?? []), ...(pins.byFunc.get(func) ?? [])];
  return own.slice(0, MAX_ITEMS).map((pin) => ({ label: pinText(pin).slice(0, 60), run: () => open(pin.id) }));
}
