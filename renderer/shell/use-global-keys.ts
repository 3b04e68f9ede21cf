import { useEffect } from 'react';
import type { Keymap } from '../ui/keys/keymap.ts';
import { useRunCommand } from '../state/run-command.ts';
import type { Parts } from '../ui/parts.tsx';
import { isTyping } from '../ui/is-typing.ts';
import { useWorkbench } from '../state/workbench-context.ts';

/** A text field has an undo of its own. */
const OF_FIELDS: ReadonlySet<string> = new Set(['view.undo', 'view.redo']);
/** Shortcuts of the graph that are the window's business. */
const FROM_THE_GRAPH: ReadonlyMap<string, string> = new Map([
  ['graph.keys', 'keys.show'],
  ['graph.details', 'details.toggle'],
  ['graph.swap', 'compare.swap'],
]);

/** Commands of what the graph shows. */
const OF_THE_VIEW = /^(?:transform|tree|thread|layout)\./;

/** Keys that act wherever the focus is but in a dialog. The graph's own are handled there first. */
export function useGlobalKeys(keymap: Keymap): void {
  const { store, parts } = useWorkbench();
  const run = useRunCommand();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const id = keymap.at('window', event) ?? graphCommand(parts, keymap, event);
      if (id === null || (OF_FIELDS.has(id) && isTyping(event))) return;
      const { dialog } = store.get();
      const palette = dialog?.kind === 'commands';
      if (dialog !== null && !(palette && id === 'commands.show')) return;
      // A key of ours does nothing else, also where its command can't be run now: Ctrl F would search the page.
      event.preventDefault();
      run(id);
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
    };
  }, [store, parts, run, keymap]);
}

function graphCommand(parts: Parts, keymap: Keymap, event: KeyboardEvent): string | null {
  const inGraph = event.target instanceof Element && parts.holds('graph', event.target);
  const id = inGraph ? keymap.at('graph', event) : null;
  if (id === null) return null;
  return OF_THE_VIEW.test(id) ? id : (FROM_THE_GRAPH.get(id) ?? null);
}
