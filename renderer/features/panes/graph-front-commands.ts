import { GRAPH_COMMANDS } from '../../ui/flame/input/keyboard.ts';
import type { PreferencesStore } from '../../state/preferences.ts';
import type { Command } from '../../state/command.ts';
import { showGraph } from '../../state/window-fit.ts';
import type { Parts } from '../../ui/parts.tsx';

/** Returns the commands for the keys of the active graph. */
export function graphFrontCommands(preferences: PreferencesStore, parts: Parts): Command[] {
  const { graphAlone } = preferences.get();
  const toGraph = (then?: () => void): void => {
    const go = (): void => {
      parts.focus('graph');
      then?.();
    };
    if (showGraph(preferences)) requestAnimationFrame(go);
    else go();
  };
  return [
    {
      id: 'layout.alone',
      name: graphAlone ? 'Show tables and details' : 'Show only the graph',
      run: () => preferences.set({ graphAlone: !graphAlone }),
    },
    { id: 'graph.focus', name: 'Go to the flame graph', run: () => toGraph() },
    ...GRAPH_COMMANDS.map(({ id, what }) => ({
      id,
      name: `Graph: ${what}`,
      run: () => toGraph(() => parts.run('graph', id)),
    })),
  ];
}
