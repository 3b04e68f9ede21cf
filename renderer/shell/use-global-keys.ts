import { useEffect } from 'react';
import type { Keymap } from '../ui/keys/keymap.ts';
import { useRunCommand } from '../state/run-command.ts';
import type { Parts } from '../ui/parts.tsx';
import { isTyping } from '../ui/is-typing.ts';
import { useWorkbench } from '../state/workbench-context.ts';

/** Commands that text fields handle themselves. */
const OF_FIELDS: ReadonlySet<string> = new Set(['view.undo', 'view.redo']);
/** Shortcuts of the graph that the window handles. */
const FROM_THE_GRAPH: ReadonlyMap<string, string> = new Map([
  ['graph.keys', 'keys.show'],
  ['graph.details', 'details.toggle'],
  ['graph.swap', 'compare.swap'],
]);

/** Commands on the content of the graph. */
const OF_THE_VIEW = /^(?:transform|tree|thread|layout|note)\./;

/** Handles shortcuts wherever the focus is, except in a dialog. The graph handles its own first. */
export function useGlobalKeys(keymap: Keymap): void {
  const { store, parts } = useWorkbench();
  const run = useRunCommand();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const id = keymap.at('window', event) ?? graphCommand(parts, keymap, event) ?? tableCommand(keymap, event);
      if (id === null || (OF_FIELDS.has(id) && isTyping(event))) return;
      const { dialog } = store.get();
      const palette = dialog?.kind === 'commands';
      if (dialog !== null && !(palette && id === 'commands.show')) return;
      // Prevents the browser's action even if the command is unavailable; Ctrl F would search the page.
      event.preventDefault();
      run(id);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [store, parts, run, keymap]);
}

function graphCommand(parts: Parts, keymap: Keymap, event: KeyboardEvent): string | null {
  const inGraph = event.target instanceof Element && parts.holds('graph', event.target);
  const id = inGraph ? keymap.at('graph', event) : null;
  if (id === null) return null;
  return OF_THE_VIEW.test(id) ? id : (FROM_THE_GRAPH.get(id) ?? null);
}

/** Returns the command for a key that works in every table; null if there is none. */
function tableCommand(keymap: Keymap, event: KeyboardEvent): string | null {
  const inTable = event.target instanceof Element && event.target.closest('.table-pane') !== null && !isTyping(event);
  return inTable && keymap.at('table', event) === 'note.add' ? 'note.add' : null;
}
