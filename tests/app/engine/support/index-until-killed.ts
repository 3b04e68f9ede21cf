import { statSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addToIndex, type IndexedDocument } from '#app/engine/library/captures/index.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';

/** `index-until-killed.ts LIBRARY CONFIG AFTER ID…` adds captures to the index, and kills itself after some of them. */
const [path = '', configPath = '', after = '0', ...ids] = process.argv.slice(2);

class UntilKilled extends Map<string, IndexedDocument> {
  override *[Symbol.iterator](): MapIterator<[string, IndexedDocument]> {
    for (const [place, entry] of [...this.entries()].entries()) {
      if (place === Number(after)) process.kill(process.pid, 'SIGKILL');
      yield entry;
    }
  }
}

const documents = new UntilKilled();
for (const id of ids) {
  const file = join(path, id, 'capture.json');
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  const document = JSON.parse(readFileSync(file, 'utf8')) as CaptureDocument;
  documents.set(id, { stamp: `${ino}-${size}-${mtimeMs}-${ctimeMs}`, document });
}
await addToIndex(path, configPath, documents, false);
