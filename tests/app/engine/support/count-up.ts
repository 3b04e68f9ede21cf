import { join } from 'node:path';
import { editDocument } from '#app/engine/library/captures/store.ts';
import { ownIdentity } from '#app/engine/disk/process-identity.ts';

/** `count-up.ts LIBRARY ID TIMES` increments the capture's `samples` that many times, all at once. */
const [root = '', id = '', times = '0'] = process.argv.slice(2);
const store = {
  root,
  self: await ownIdentity(),
  now: Date.now,
  onChange: () => undefined,
  mayReadHere: () => Promise.resolve(false),
};
const increment = () =>
  editDocument(store, join(root, id), (document) => ({ ...document, samples: (document.samples ?? 0) + 1 }));
await Promise.all(Array.from({ length: Number(times) }, increment));
