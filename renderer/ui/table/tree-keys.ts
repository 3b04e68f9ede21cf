import type { KeyboardEvent } from 'react';
import type { Keymap } from '../keys/keymap.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';
import { commandKey } from './command-key.ts';
import type { TypeAhead } from './type-ahead.ts';
import type { TreeNavigation } from './use-tree-navigation.ts';

interface TreeKeys {
  readonly keymap: Keymap;
  readonly typeAhead: TypeAhead;
  readonly onCopy: () => void;
  /** A transform of the picked row. */
  readonly onCommand: (id: ShortcutId) => void;
}

/** What a key does in a call tree table; false: nothing of its own. */
export function pressTreeKey(event: KeyboardEvent, tree: TreeNavigation, keys: TreeKeys): boolean {
  const { key } = event;
  const control = event.ctrlKey || event.metaKey;
  const writes = key.length === 1 && key !== ' ' && !control && !event.altKey && keys.keymap.singleKeys;
  const command = commandKey(keys.keymap, event);
  const id = keys.keymap.at('table', event);
  if (writes && id === 'table.open-below') tree.openBelow();
  else if (writes && keys.typeAhead.goesOn(event.timeStamp)) goToName(event, tree, keys.typeAhead);
  else if (command !== null) keys.onCommand(command);
  else if (id === 'table.type') keys.typeAhead.begin(event.timeStamp);
  else if (control && key === 'c') keys.onCopy();
  else if (key === 'Escape' && tree.selection.chosen !== null) tree.selection.clear();
  else if (key === 'F3') tree.toMatch(event.shiftKey ? -1 : 1);
  else if (control) return false;
  else if (key === 'ArrowRight' && event.shiftKey) tree.openHotPath();
  else if (key === 'ArrowRight') goRight(event, tree);
  else if (key === 'ArrowLeft') goLeft(event, tree);
  else if (event.altKey) return false;
  else if (writes) goToName(event, tree, keys.typeAhead);
  else return false;
  return true;
}

/** Opens a row; in an open one goes to its first child. With Alt opens everything below. */
function goRight(event: KeyboardEvent, { activeRow: row, toggle, select }: TreeNavigation): void {
  if (row === undefined) return;
  if (event.altKey && row.place.open !== null) toggle(row, 'open-below');
  else if (row.place.open === false) toggle(row, 'open');
  else if (row.place.open === true) select(row.position + 1, 'one');
}

/** Closes an open row, with Alt everything below too; else goes to the parent. */
function goLeft(event: KeyboardEvent, { activeRow: row, toggle, toParent }: TreeNavigation): void {
  if (row === undefined) return;
  if (row.place.open === true) toggle(row, event.altKey ? 'close-below' : 'close');
  else if (row.node !== 0) toParent(row);
}

function goToName({ key, timeStamp }: KeyboardEvent, { active, toName }: TreeNavigation, typeAhead: TypeAhead): void {
  const prefix = typeAhead.type(key, timeStamp);
  // The first letter goes on to the next row, further ones may stay.
  toName(prefix, (active?.position ?? -1) + (prefix.length === 1 || active === null ? 1 : 0));
}
