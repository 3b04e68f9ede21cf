import { join } from 'node:path';
import type { CaptureSink } from '#collectors/collector.ts';
import { removeFileOf } from '#collectors/effects/remove.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { messageOf } from '#core/model/failure.ts';
import { RESERVE_FILE, WRITER_LOCK } from './captures/files.ts';
import { editDocument, readDocument, totalFileBytes, touchLibrary, type CaptureStore } from './captures/store.ts';
import type { CaptureChanges } from './captures/writer.ts';
import { isLocked, takeLock } from '../disk/folder-lock.ts';
import { prepareLibrary } from './library-marker.ts';
import { openRawFiles } from './raw-files.ts';
import { diagnostic } from '#core/model/diagnostics.ts';

/**
 * Completes the raw files of a capture whose writer has ended (perf's stream without the script text) and returns what
 * they contain. It can be repeated, and may take as long as the tool needs. `mayReadHere` allows it to read this
 * machine's files.
 */
export type RecoverCapture = (
  files: CaptureSink,
  document: CaptureDocument,
  mayReadHere: boolean,
) => Promise<CaptureChanges>;

const isActive = ({ state }: CaptureDocument): boolean =>
  state === 'preparing' || state === 'recording' || state === 'stopping';

/** Returns whether a capture's document says that it is being written while no live process writes it. */
export async function isAbandoned(store: CaptureStore, folder: string, document: CaptureDocument): Promise<boolean> {
  return isActive(document) && !(await isLocked(folder, WRITER_LOCK, store.self));
}

/**
 * Marks an abandoned capture incomplete, then lets `recover` complete it as far as possible. Returns null if another
 * process is doing so or has done it. `onMarked` is called when the capture is marked and its size known, before the
 * slow part.
 */
export async function recoverAbandoned(
  store: CaptureStore,
  id: string,
  recover: RecoverCapture,
  onMarked: (document: CaptureDocument) => void,
): Promise<CaptureDocument | null> {
  const folder = join(store.root, id);
  await prepareLibrary(store.root);
  const lock = await takeLock(folder, WRITER_LOCK, store.self);
  if (lock === null) return null;
  try {
    if (!isActive(readDocument(folder))) return null;
    await removeFileOf(folder, RESERVE_FILE);
    const marked = await editDocument(store, folder, (document) => ({
      ...document,
      state: 'stopping',
      incomplete: true,
    }));
    onMarked({ ...marked, sizeBytes: await totalFileBytes(folder, [marked.primaryFile, ...marked.otherFiles]) });
    const files = openRawFiles(folder);
    const found = await recover(files, marked, await store.mayReadHere(marked)).catch((error: unknown) => ({
      diagnostics: [...marked.diagnostics, recoveryFailed(error)],
    }));
    await files.close(true);
    const { primaryFile, otherFiles } = { ...marked, ...found };
    const sizeBytes = await totalFileBytes(folder, [primaryFile, ...otherFiles]);
    const finish = (document: CaptureDocument): CaptureDocument => ({
      ...document,
      ...found,
      state: 'finished',
      incomplete: true,
      sizeBytes,
    });
    const finished = await editDocument(store, folder, finish);
    await touchLibrary(store);
    return finished;
  } finally {
    await lock.release(folder);
  }
}

const recoveryFailed = (error: unknown): CaptureDocument['diagnostics'][number] =>
  diagnostic('recovery-failed', `The capture is incomplete and could not be recovered: ${messageOf(error)}`, {
    remedy: 'The data received is in its folder and may open in part.',
  });
