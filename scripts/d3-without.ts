import type { Plugin } from 'vite';

/**
 * Packages of which d3-flame-graph runs nothing here: the chart applies transitions immediately (still-drawing.ts) and
 * writes its own labels, and its scales are of numbers, which need no formats and no colours.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'd3-transition': '',
  'd3-format': ['format', 'formatPrefix', 'formatSpecifier', 'precisionFixed', 'precisionPrefix', 'precisionRound']
    .map((name) => `export const ${name} = null;`)
    .join('\n'),
  'd3-color': ['color', 'rgb', 'hsl', 'lab', 'hcl', 'cubehelix'].map((name) => `export class ${name} {}`).join('\n'),
};

/** Leaves these packages out of a bundle. */
export function d3Without(): Plugin {
  return {
    name: 'flamebench-d3-without',
    enforce: 'pre',
    resolveId: (id) => (id in LEFT_OUT ? `\0${id}` : null),
    load: (id) => LEFT_OUT[id.slice(1)] ?? null,
  };
}
