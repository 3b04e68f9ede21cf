import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { formatValue } from '#core/units/format.ts';
import { DOCUMENT_FILE } from './capture-files.ts';
import { captureFolder, readDocument, refuseOther, type CaptureStore } from './capture-store.ts';
import { isAbandoned, recoverAbandoned, type RecoverCapture } from './recover-captures.ts';

/** The documents of a library's captures, as they should be shown. A document is cached until its file changes. */
interface CurrentDocuments {
  /**
   * Returns the document. A capture without a live writer is not being recorded, whatever its file says; its recovery
   * is started.
   */
  of(id: string): Promise<CaptureDocument>;
  forget(id: string): void;
  isRecovering(id: string): boolean;
  /** Resolves when no recovery is running. */
  settled(): Promise<void>;
}

/**
 * Resolution of file times: two writes within up to 10 ms have the same time, so a file that was just written is read
 * again. In ms.
 */
const CLOCK_GRAIN_MS = 50;

/** Creates the documents. `recover` is that of `LibraryOptions`; `onNotice` receives one line per recovered capture. */
export function createCurrentDocuments(
  store: CaptureStore,
  recover: RecoverCapture | undefined,
  onNotice: (line: string) => void,
): CurrentDocuments {
  const recoveries = new Map<string, Promise<void>>();
  const known = new Map<string, { stamp: string; document: CaptureDocument }>();

  /** Resolves when the capture has been marked. */
  function startRecovery(id: string): Promise<void> {
    if (recover === undefined || recoveries.has(id)) return Promise.resolve();
    return new Promise((marked) => {
      const onMarked = ({ name, sizeBytes }: CaptureDocument): void => {
        onNotice(`Recovered ${formatValue(sizeBytes, 'bytes')} of “${name}”: Flamebench exited while recording it.`);
        marked();
      };
      const recovery = recoverAbandoned(store, id, recover, onMarked)
        .then(() => {
          recoveries.delete(id);
        })
        // In a read-only library, the capture is still shown as incomplete, and recovery is not retried.
        .catch(() => undefined)
        .finally(marked);
      recoveries.set(id, recovery);
    });
  }

  return {
    async of(id) {
      const folder = captureFolder(store, id);
      const found = lstatSync(join(folder, DOCUMENT_FILE));
      refuseOther(found, DOCUMENT_FILE);
      const { ino, size, mtimeMs } = found;
      const stamp = `${ino} ${size} ${mtimeMs}`;
      const cached = known.get(id);
      const document = cached?.stamp === stamp ? cached.document : { ...readDocument(folder), id };
      if (Date.now() - mtimeMs > CLOCK_GRAIN_MS) known.set(id, { stamp, document });
      if (!(await isAbandoned(store, folder, document))) return document;
      await startRecovery(id);
      return { ...document, state: 'finished', incomplete: true };
    },
    forget: (id) => void known.delete(id),
    isRecovering: (id) => recoveries.has(id),
    async settled() {
      await Promise.all(recoveries.values());
    },
  };
}
