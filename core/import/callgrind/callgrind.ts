import type { Importer } from '../importer.ts';
import { byLine } from '../text/line-session.ts';
import { sniffCallgrind } from './sniff.ts';

/** The output of valgrind's callgrind and cachegrind, and of Xdebug, pprof and others for KCachegrind. */
export const callgrindImporter: Importer = {
  id: 'callgrind',
  label: 'Callgrind',
  extensions: ['callgrind', 'cachegrind', 'cg', 'out'],
  keeps:
    'exact self costs of functions and lines for every event; calls with lines, objects and files; threads, parts; stacks are built from the call graph',
  loses:
    'which caller’s calls cost more than others’ (each call of a function is taken to cost the same), order and depth of recursion, instructions, jumps',
  recognizedBy: 'its first line, or a header with `events:` and functions (`fn=`)',
  specification: 'https://valgrind.org/docs/manual/cl-format.html',
  sniff: sniffCallgrind,
  start: async () => byLine(new (await import('./session.ts')).CallgrindSession()),
};
