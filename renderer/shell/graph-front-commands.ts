import { GRAPH_COMMANDS, commandGraph } from '../flame/graph-commands.ts';
import type { Command } from './commands.ts';
import { focusGraph, graphInFront } from './regions.ts';

/** What the keys of the graph in front do, by name. */
export function graphFrontCommands(): Command[] {
  return [
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
