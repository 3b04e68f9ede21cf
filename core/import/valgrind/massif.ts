import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/** Heap snapshots of valgrind's massif. */
export const massifImporter: Importer = {
  id: 'massif',
  label: 'Massif heap snapshots',
  extensions: ['massif', 'out'],
  keeps:
    'stacks with addresses, modules, files and lines; bytes in use, a value type for each snapshot that has stacks, the peak shown first',
  loses: 'sizes of snapshots without stacks, bytes of heap administration and of stacks; both are counted',
  recognizedBy: 'snapshots (`snapshot=`) with `mem_heap_B=` and `heap_tree=`',
  specification: 'https://valgrind.org/docs/manual/ms-manual.html',
  sniff: ({ text }: Head): SniffResult =>
    text.startsWith('desc:') && /^time_unit:/m.test(text) && /^snapshot=\d/m.test(text) ? 'yes' : 'no',
  start: async () => byLine(new (await import('./massif-session.ts')).MassifSession()),
};
