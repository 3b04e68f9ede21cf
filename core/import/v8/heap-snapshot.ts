import type { Importer } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';

/** Heap snapshots of V8: `node --heapsnapshot-signal`, `v8.writeHeapSnapshot()`, Chrome's DevTools. */
export const heapSnapshotImporter: Importer = {
  id: 'heapsnapshot',
  label: 'V8 heap snapshot',
  extensions: ['heapsnapshot', 'json'],
  keeps:
    'bytes and numbers of objects by constructor; the stack of an object is the objects that retain it, so self is its own size and total what it retains',
  loses:
    'names of properties, contents of strings, retainers beside the one that dominates, where objects were allocated',
  recognizedBy: 'JSON with a `snapshot` and its `meta`',
  specification: 'https://developer.chrome.com/docs/devtools/memory-problems/heap-snapshot-schema',
  sniff: ({ text }) => (/^\s*\{\s*"snapshot"\s*:\s*\{\s*"meta"\s*:/.test(text) ? 'yes' : 'no'),
  start: async () => new JsonSession('a heap snapshot', (await import('./heap-snapshot-json.ts')).buildHeapSnapshot),
};
