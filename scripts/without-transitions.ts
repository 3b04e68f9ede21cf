import type { Plugin } from 'vite';

const NAME = 'd3-transition';

/**
 * Leaves out d3-flame-graph's transitions with their timers: the graph's chart applies them immediately
 * (still-drawing.ts).
 */
export function withoutTransitions(): Plugin {
  return {
    name: 'flamebench-without-transitions',
    enforce: 'pre',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) => (id === `\0${NAME}` ? '' : null),
  };
}
