import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwn } from '#collectors/effects/remove.ts';
import { touchFile, writeAtomically } from '#collectors/effects/write.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure, isMissing, storageFailure } from '../../failure.ts';
import { changeDocument, parseDocument } from './document.ts';
import { CHANGED_FILE, DOCUMENT_FILE, EDIT_LOCK, isCaptureId } from './files.ts';
import { underLock } from '../../disk/folder-lock.ts';
import type { ProcessIdentity } from '../../disk/process-identity.ts';
import { DamagedDocument, readDocumentFile } from '../versioned-document.ts';

/** A library's location on disk and the process that uses it. */
export interface CaptureStore {
  readonly root: string;
  readonly self: ProcessIdentity;
  /** Returns Unix epoch milliseconds. */
  readonly now: () => number;
  /** Called for each change that this process makes. */
  readonly onChange: () => void;
  /** See `Library.mayReadHere`. */
  readonly mayReadHere: (document: CaptureDocument) => Promise<boolean>;
}

/**
 * Maximum time to wait for an edit lock, in ms. An edit takes milliseconds; a lock held for longer belongs to a stopped
 * or hanging process.
 */
export const EDIT_WAIT_MS = 5000;

export function captureFolder(store: CaptureStore, id: string): string {
  if (!isCaptureId(id)) throw noSuchCapture(id);
  return join(store.root, id);
}

/**
 * Returns the capture's folder after checking that it is a folder of this user's. Throws a system error if there is
 * none, a {@link DamagedDocument} if it is a link or another user's.
 */
export async function ownCaptureFolder(store: CaptureStore, id: string): Promise<string> {
  const folder = captureFolder(store, id);
  const found = await lstat(folder);
  if (!found.isDirectory())
    throw new DamagedDocument(`${id} is not a folder`, 'Move the capture’s folder itself there.');
  refuseOther(found, id);
  return folder;
}

/** Throws a {@link DamagedDocument} for a file or folder of another user. */
export function refuseOther(found: Stats, what: string): void {
  if (isOwn(found)) return;
  throw new DamagedDocument(`${what} belongs to another user`, 'Make it yours (chown), or move it to another library.');
}

export const noSuchCapture = (id: string): EngineFailure =>
  new EngineFailure(
    'not-found',
    `No capture ${JSON.stringify(id.slice(0, 100))} in the library.`,
    'It may have been moved to the trash; reload the list.',
  );

/** Reads a capture's document; throws {@link DamagedDocument} or a system error. */
export const readDocument = (folder: string): CaptureDocument =>
  parseDocument(readDocumentFile(join(folder, DOCUMENT_FILE)));

/** Returns a capture's document; null if there is none that this version can read. */
export function readableDocument(folder: string): CaptureDocument | null {
  try {
    return readDocument(folder);
  } catch {
    return null;
  }
}

/**
 * Changes `capture.json` under the folder's edit lock. `change` receives the current document, so that concurrent
 * changes are not lost.
 */
export async function editDocument(
  store: CaptureStore,
  folder: string,
  change: (document: CaptureDocument) => CaptureDocument,
): Promise<CaptureDocument> {
  return withEditLock(store, folder, async () => {
    const path = join(folder, DOCUMENT_FILE);
    const { document, text } = changeDocument(readDocumentFile(path), change);
    await writeAtomically(path, text);
    return document;
  });
}

export const documentText = (document: CaptureDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/** Notifies this process, and others that use the library, of a change. */
export async function touchLibrary(store: CaptureStore): Promise<void> {
  store.onChange();
  // Without the file, others notice the change at their next check; the change itself has succeeded.
  await touchFile(join(store.root, CHANGED_FILE), new Date(store.now())).catch(() => undefined);
}

/** Runs a change of a capture and converts errors to one line with a remedy. */
export async function guarded<T>(attempt: string, id: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isMissing(error)) throw noSuchCapture(id);
    if (error instanceof DamagedDocument) throw new EngineFailure('damaged', error.message, error.remedy);
    throw storageFailure(error, attempt);
  }
}

/** Runs a change of a capture's documents while no other process changes them. */
export function withEditLock<T>(store: CaptureStore, folder: string, action: () => Promise<T>): Promise<T> {
  const inUse = (): EngineFailure =>
    new EngineFailure(
      'in-use',
      'Another Flamebench process is still changing this capture.',
      'Try again; if this persists, quit the other process.',
    );
  return underLock(folder, EDIT_LOCK, store.self, { waitMs: EDIT_WAIT_MS, inUse }, action);
}

/** Returns the total size of the named files in bytes; missing ones count as 0. */
export async function totalFileBytes(folder: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
