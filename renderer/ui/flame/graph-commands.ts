import { useEffect, type RefObject } from 'react';
import { SHORTCUTS, type ShortcutId } from '../keys/shortcuts.ts';
import type { FlameActions } from './flame-actions.ts';
import type { Orientation } from './flame-graph.types.ts';
import { graphAction } from './keyboard.ts';

const COMMAND = 'flamebench-graph-command';

/** Shortcuts of the graph itself, which can be called by name too. */
export const GRAPH_COMMANDS: readonly { readonly id: ShortcutId; readonly what: string }[] = SHORTCUTS.filter(
  ({ id, place }) => place === 'graph' && id !== 'graph.search' && graphAction(id, 'flame') !== null,
);

/** Does to the graph whose element this is what a shortcut of it does. */
export function commandGraph(graph: Element, id: ShortcutId): void {
  graph.dispatchEvent(new CustomEvent(COMMAND, { detail: id }));
}

/** Lets {@link commandGraph} reach a graph's actions. */
export function useGraphCommands(
  scroller: RefObject<HTMLElement | null>,
  orientation: Orientation,
  actions: FlameActions,
): void {
  useEffect(() => {
    const graph = scroller.current;
    const obey = (event: Event): void => {
      const key = graphAction((event as CustomEvent<ShortcutId>).detail, orientation);
      if (key !== null) actions.press(key);
    };
    graph?.addEventListener(COMMAND, obey);
    return () => graph?.removeEventListener(COMMAND, obey);
  }, [scroller, orientation, actions]);
}
