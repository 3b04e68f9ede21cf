import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { identify, removeFileOf } from '#collectors/effects/remove.ts';
import { makeFolders, moveFolder, syncFolder, writeAtomically, writeNew } from '#collectors/effects/write.ts';
import type { CaptureSink } from '#collectors/collector.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure, errorCode, storageFailure } from '../../failure.ts';
import { SCHEMA_VERSION } from './document.ts';
import { checkRawFileName, DOCUMENT_FILE, newCaptureId, RESERVE_FILE, WRITER_LOCK } from './files.ts';
import { documentText, editDocument, totalFileBytes, touchLibrary, type CaptureStore } from './store.ts';
import { takeLock, type FolderLock } from '../../disk/folder-lock.ts';
import { openRawFiles } from '../raw-files.ts';
import { withStaging } from '../staging.ts';
import { diagnostic } from '#core/model/diagnostics.ts';

/** The fields of a capture that its writer may set; the library sets the others. */
export type CaptureChanges = Partial<Omit<CaptureDocument, 'schemaVersion' | 'id' | 'createdAt' | 'sizeBytes'>>;

export interface NewCapture extends CaptureChanges {
  readonly name: string;
  readonly origin: 'recorded' | 'imported';
  /** The file to open later; {@link CaptureWriter.append} writes it. */
  readonly primaryFile: string;
}

/**
 * A capture that is being written. Its folder is in the library from the start; if this process dies, the appended data
 * stays there and the next Flamebench marks it incomplete. Call either `finish` or `discard`; both are idempotent.
 */
export interface CaptureWriter extends CaptureSink {
  readonly id: string;
  readonly folder: string;
  /** The document as last written. */
  readonly document: CaptureDocument;
  /** Changes the document. Fields that others changed in the meantime (name, tags) are kept. */
  update(changes: CaptureChanges): Promise<CaptureDocument>;
  /** Syncs all appended data to disk, writes `changes` (with state `finished` by default) and releases the capture. */
  finish(changes?: CaptureChanges): Promise<CaptureDocument>;
  /** Removes the capture completely. */
  discard(): Promise<void>;
}

const LOCK_LOST = diagnostic(
  'lock-lost',
  `The lock ${WRITER_LOCK}.lock of this capture was deleted or taken over while it was being recorded; another program may have changed its files.`,
  { remedy: 'Its data is kept. Record again if the profile looks wrong.' },
);

/** Size of the reserve in bytes, enough for a lock and a capture.json. */
const RESERVE_BYTES = 256 << 10;

/** Creates the folder of a new capture in the library. */
export async function createCapture(
  store: CaptureStore,
  initial: NewCapture,
  onEnd: () => void = () => undefined,
): Promise<CaptureWriter> {
  const id = newCaptureId(store.now(), randomBytes(4).toString('hex'));
  const document = newDocument(store, id, initial);
  for (const name of [document.primaryFile, ...document.otherFiles]) checkRawFileName(name);
  const folder = join(store.root, id);
  let lock: FolderLock | null = null;
  try {
    lock = await withStaging(store.root, id, async (unfinished) => {
      await makeFolders(unfinished);
      await writeAtomically(join(unfinished, DOCUMENT_FILE), documentText(document));
      // Random bytes, because a file system that compresses would reserve no space for zeros.
      await writeNew(join(unfinished, RESERVE_FILE), randomBytes(RESERVE_BYTES));
      const taken = await takeLock(unfinished, WRITER_LOCK, store.self);
      if (taken === null) throw new EngineFailure('in-use', `Another Flamebench process owns the new capture ${id}.`);
      try {
        await moveFolder(unfinished, folder);
      } catch (error) {
        await taken.release(unfinished);
        throw error;
      }
      return taken;
    });
    await syncFolder(store.root);
    await touchLibrary(store);
    return writeCapture(store, folder, document, lock, onEnd);
  } catch (error) {
    await lock?.release(folder);
    throw storageFailure(error, `make a capture in ${store.root}`);
  }
}

function writeCapture(
  store: CaptureStore,
  folder: string,
  created: CaptureDocument,
  lock: FolderLock,
  onEnd: () => void,
): CaptureWriter {
  const raw = openRawFiles(folder);
  let document = created;
  let edits: Promise<unknown> = Promise.resolve();
  let ended: Promise<CaptureDocument> | null = null;

  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = edits.then(action);
    edits = result.catch(() => undefined);
    return result;
  }

  async function edit(changes: CaptureChanges, sizeBytes: number | null): Promise<CaptureDocument> {
    for (const name of [changes.primaryFile ?? [], changes.otherFiles ?? []].flat()) checkRawFileName(name);
    const change = (current: CaptureDocument): CaptureDocument => ({
      ...current,
      ...changes,
      sizeBytes: sizeBytes ?? current.sizeBytes,
    });
    try {
      document = await withReserve(folder, () => editDocument(store, folder, change));
    } catch (error) {
      throw storageFailure(error, `write ${join(folder, DOCUMENT_FILE)}`);
    }
    await touchLibrary(store);
    return document;
  }

  async function releaseFolder(current: string): Promise<void> {
    // The folder may be gone.
    await removeFileOf(current, RESERVE_FILE).catch(() => undefined);
    await lock.release(current);
    onEnd();
  }

  /** Returns the last changes of a capture whose lock was lost; its data is as complete as with the lock. */
  async function withoutLock(changes: CaptureChanges): Promise<CaptureChanges> {
    if ((await identify(folder)) === null) {
      throw new EngineFailure(
        'lock-lost',
        `${folder} was moved or deleted by another program while it was being recorded.`,
        'Look for it in the trash: flamebench captures trash.',
      );
    }
    const { incomplete = document.incomplete, diagnostics = document.diagnostics } = changes;
    return { ...changes, incomplete, diagnostics: [...diagnostics, LOCK_LOST] };
  }

  async function finishNow(changes: CaptureChanges): Promise<CaptureDocument> {
    try {
      await raw.close(true);
      const last = (await lock.isHeld(folder)) ? changes : await withoutLock(changes);
      const names = [last.primaryFile ?? document.primaryFile, ...(last.otherFiles ?? document.otherFiles)];
      return await edit({ state: 'finished', ...last }, await totalFileBytes(folder, names));
    } catch (error) {
      throw storageFailure(error, `finish the capture ${folder}`);
    } finally {
      await releaseFolder(folder);
    }
  }

  async function discardNow(): Promise<CaptureDocument> {
    try {
      await raw.close(false);
      // Moves the folder first, so that it leaves the list immediately and completely.
      await withStaging(store.root, `discarded-${document.id}`, async (discarded) => {
        await moveFolder(folder, discarded);
        await releaseFolder(discarded);
      });
    } catch (error) {
      await releaseFolder(folder);
      if (errorCode(error) !== 'ENOENT') throw storageFailure(error, `remove the capture ${folder}`);
    } finally {
      await touchLibrary(store);
    }
    return { ...document, state: 'cancelled' };
  }

  const refuseEnded = (): Promise<never> =>
    Promise.reject(new EngineFailure('ended', `The capture ${document.id} has ended; nothing more can be added.`));

  return {
    id: document.id,
    folder,
    get document() {
      return document;
    },
    append: (fileName, bytes) => (ended === null ? raw.append(fileName, bytes) : refuseEnded()),
    read: (fileName) => raw.read(fileName),
    replace: (fileName, chunks) => (ended === null ? raw.replace(fileName, chunks) : refuseEnded()),
    update: (changes) => (ended === null ? inTurn(() => edit(changes, null)) : refuseEnded()),
    finish: (changes = {}) => (ended ??= inTurn(() => finishNow(changes))),
    discard: async () => {
      await (ended ??= inTurn(discardNow));
    },
  };
}

/** Runs an action and, if the disk is full, deletes the reserve and retries. */
async function withReserve<T>(folder: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    await removeFileOf(folder, RESERVE_FILE);
    return action();
  }
}

function newDocument(store: CaptureStore, id: string, initial: NewCapture): CaptureDocument {
  return {
    tags: [],
    state: 'preparing',
    incomplete: false,
    format: null,
    otherFiles: [],
    collector: null,
    target: null,
    process: null,
    event: null,
    rateHz: null,
    startedAt: null,
    durationMs: null,
    samples: null,
    lostSamples: null,
    cpuSeconds: null,
    series: null,
    diagnostics: [],
    ...initial,
    schemaVersion: SCHEMA_VERSION,
    id,
    createdAt: store.now(),
    sizeBytes: 0,
  };
}
