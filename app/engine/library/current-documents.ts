import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { formatValue } from '#core/units/format.ts';
import { DOCUMENT_FILE } from './captures/files.ts';
import { addToIndex, type CaptureIndex, type IndexedDocument } from './captures/index.ts';
import { captureFolder, readDocument, refuseOther, type CaptureStore } from './captures/store.ts';
import { isAbandoned, recoverAbandoned, type RecoverCapture } from './recover-captures.ts';

/** The documents of a library's captures, as they should be shown. A document is cached until its file changes. */
export interface CurrentDocuments {
  /**
   * Returns the document. A capture without a live writer is not being recorded, whatever its file says; its recovery
   * is started. A list gives the index; `accept` receives the file's size first, and may throw.
   */
  of(id: string, index?: CaptureIndex, accept?: (size: number) => void): Promise<CaptureDocument>;
  /** Adds what was read from files to the library's index if a list would take noticeably longer without it. */
  keep(index: CaptureIndex): Promise<void>;
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

/** Number of documents from which reading them from their files is felt: about 10 ms. */
const WORTH_INDEXING = 100;

/**
 * Creates the documents. `configPath` and `recover` are those of `LibraryOptions`; `onNotice` receives one line per
 * recovered capture.
 */
export function createCurrentDocuments(
  store: CaptureStore,
  configPath: string,
  recover: RecoverCapture | undefined,
  onNotice: (line: string) => void,
): CurrentDocuments {
  const recoveries = new Map<string, Promise<void>>();
  const known = new Map<string, IndexedDocument>();
  /** What the index lacks. */
  const unindexed = new Map<string, IndexedDocument>();

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
    async of(id, index, accept) {
      const folder = captureFolder(store, id);
      const found = lstatSync(join(folder, DOCUMENT_FILE));
      refuseOther(found, DOCUMENT_FILE);
      const { ino, size, mtimeMs, ctimeMs } = found;
      accept?.(size);
      const stamp = `${ino}-${size}-${mtimeMs}-${ctimeMs}`;
      const cached = known.get(id);
      let document = cached?.stamp === stamp ? cached.document : index?.find(id, stamp);
      const isNew = document === undefined || document === null;
      document ??= { ...readDocument(folder), id };
      if (cached?.document !== document && Date.now() - Math.max(mtimeMs, ctimeMs) > CLOCK_GRAIN_MS) {
        known.set(id, { stamp, document });
        if (isNew) unindexed.set(id, { stamp, document });
      }
      if (!(await isAbandoned(store, folder, document))) return document;
      await startRecovery(id);
      return { ...document, state: 'finished', incomplete: true };
    },
    async keep(index) {
      const isWaste = index.isMostlyWaste();
      if (unindexed.size < WORTH_INDEXING && !isWaste) return;
      await addToIndex(store.root, configPath, isWaste ? known : unindexed, isWaste);
      unindexed.clear();
    },
    forget(id) {
      known.delete(id);
      unindexed.delete(id);
    },
    isRecovering: (id) => recoveries.has(id),
    async settled() {
      await Promise.all(recoveries.values());
    },
  };
}
