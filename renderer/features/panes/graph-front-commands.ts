import { GRAPH_COMMANDS, commandGraph } from '../../ui/flame/graph-commands.ts';
import type { PreferencesStore } from '../../state/preferences.ts';
import type { Command } from '../../state/command.ts';
import { focusGraph, graphInFront } from '../../ui/regions.ts';

/** What the keys of the graph in front do, by name. */
export function graphFrontCommands(preferences: PreferencesStore): Command[] {
  const { graphAlone } = preferences.get();
  return [
    {
      id: 'layout.alone',
      name: graphAlone ? 'Tables and details beside the graph' : 'The graph alone',
      run: () => preferences.set({ graphAlone: !graphAlone }),
    },
    { id: 'graph.focus', name: 'Go to the flame graph', run: focusGraph },
    ...GRAPH_COMMANDS.map(({ id, what }) => ({
      id,
      name: `Graph: ${what}`,
      run: () => {
        const graph = graphInFront();
        if (graph !== null) commandGraph(graph, id);
      },
    })),
  ];
}
