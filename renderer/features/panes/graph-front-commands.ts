import { GRAPH_COMMANDS } from '../../ui/flame/input/keyboard.ts';
import type { PreferencesStore } from '../../state/preferences.ts';
import type { Command } from '../../state/command.ts';
import type { Parts } from '../../ui/parts.tsx';

/** Returns the commands for the keys of the active graph. */
export function graphFrontCommands(preferences: PreferencesStore, parts: Parts): Command[] {
  const { graphAlone } = preferences.get();
  return [
    {
      id: 'layout.alone',
      name: graphAlone ? 'Show tables and details' : 'Show only the graph',
      run: () => preferences.set({ graphAlone: !graphAlone }),
    },
    { id: 'graph.focus', name: 'Go to the flame graph', run: () => void parts.focus('graph') },
    ...GRAPH_COMMANDS.map(({ id, what }) => ({
      id,
      name: `Graph: ${what}`,
      run: () => {
        parts.focus('graph');
        parts.run('graph', id);
      },
    })),
  ];
}
