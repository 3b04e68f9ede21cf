import * as module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { PartJob, PartMessage } from './part-messages.ts';

/** Entry of the thread that reads a part of a file; see file-parts.ts. It fails by ending without an answer. */

const { path, importer, start, end, compileCache } = workerData as PartJob;
if (compileCache !== null) module.enableCompileCache(compileCache);

const [{ importPart }, { buffersOfPart }, { readFileRange }] = await Promise.all([
  import('#core/import/import-part.ts'),
  import('#core/import/perf-script/part.ts'),
  import('./file-source.ts'),
]);

function post(message: PartMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

const part = await importPart(importer, end - start, readFileRange(path, start, end), (readBytes) =>
  post({ readBytes }),
);
post({ part }, part === null ? [] : buffersOfPart(part));
