import type { Head, Importer, SniffResult } from '../importer.ts';

/** Sampled heap profiles of V8 as written by `node --heap-prof` and Chrome's DevTools. */
export const heapprofileImporter: Importer = {
  id: 'heapprofile',
  label: 'V8 heap profile',
  extensions: ['heapprofile', 'json'],
  keeps: 'stacks with files and lines, bytes in use by the function that allocated them',
  loses: 'columns (functions that begin on one line stay apart), the order of allocations',
  recognizedBy: 'JSON with a `head` that has a `callFrame` and a `selfSize`',
  specification: 'https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile',
  sniff: ({ text }: Head): SniffResult =>
    /^\s*\{\s*"head"\s*:\s*\{/.test(text) && /"callFrame"\s*:/.test(text) && /"selfSize"\s*:/.test(text) ? 'yes' : 'no',
  start: async () => (await import('./heapprofile-json.ts')).heapprofileSession(),
};
