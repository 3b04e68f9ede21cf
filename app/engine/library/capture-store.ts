import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaptureDocument, CaptureNotes } from '#core/contract/schemas.ts';
import { EngineFailure, isMissing, storageFailure } from '../failure.ts';
import { parseDocument, parseNotes } from './capture-document.ts';
import { CHANGED_FILE, DOCUMENT_FILE, EDIT_LOCK, isCaptureId, NOTES_FILE } from './capture-files.ts';
import { underLock } from './folder-lock.ts';
import { makeFolders } from './make-folders.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { DamagedDocument, readDocumentFile } from './versioned-document.ts';
import { writeAtomically } from './write-atomically.ts';

/** A library's place on disk and the process that works on it. */
export interface CaptureStore {
  readonly root: string;
  readonly self: ProcessIdentity;
  /** Unix epoch milliseconds. */
  readonly now: () => number;
  /** Told of each change that this process makes. */
  readonly onChange: () => void;
  /** See `Library.mayReadHere`. */
  readonly mayReadHere: (document: CaptureDocument) => Promise<boolean>;
}

/** An edit takes milliseconds; a lock held for longer than this belongs to a process that is stopped or hangs. */
export const EDIT_WAIT_MS = 5000;

export function captureFolder(store: CaptureStore, id: string): string {
  if (!isCaptureId(id)) throw noSuchCapture(id);
  return join(store.root, id);
}

const noSuchCapture = (id: string): EngineFailure =>
  new EngineFailure(
    'not-found',
    `No capture ${JSON.stringify(id.slice(0, 100))} in the library.`,
    'It may have been moved to the trash; reload the list.',
  );

/** Throws {@link DamagedDocument} or a system error. */
export async function readDocument(folder: string): Promise<CaptureDocument> {
  return parseDocument(await readDocumentFile(join(folder, DOCUMENT_FILE)));
}

/**
 * Changes `capture.json` under the folder's edit lock: `change` gets the document as it is now, so that two processes that change
 * different things lose neither.
 */
export async function editDocument(
  store: CaptureStore,
  folder: string,
  change: (document: CaptureDocument) => CaptureDocument,
): Promise<CaptureDocument> {
  return withEditLock(store, folder, async () => {
    const changed = change(await readDocument(folder));
    await writeAtomically(join(folder, DOCUMENT_FILE), documentText(changed));
    return changed;
  });
}

export const documentText = (document: CaptureDocument | CaptureNotes): string =>
  `${JSON.stringify(document, null, 2)}\n`;

export async function readNotes(folder: string): Promise<CaptureNotes> {
  try {
    return parseNotes(await readDocumentFile(join(folder, NOTES_FILE)));
  } catch (error) {
    if (isMissing(error)) return { schemaVersion: 1, text: '' };
    throw error;
  }
}

/** Changes what is there under the lock, so that two who change different things lose neither. */
export async function editNotes(
  store: CaptureStore,
  folder: string,
  change: (notes: CaptureNotes) => CaptureNotes,
): Promise<CaptureNotes> {
  return withEditLock(store, folder, async () => {
    // A broken notes.json is the user's words: it is not overwritten.
    const notes = change(await readNotes(folder));
    await writeAtomically(join(folder, NOTES_FILE), documentText(notes));
    return notes;
  });
}

/** Tells this process and the others on the library that something in it changed. */
export async function touchLibrary(store: CaptureStore): Promise<void> {
  store.onChange();
  const path = join(store.root, CHANGED_FILE);
  const now = new Date(store.now());
  try {
    await utimes(path, now, now);
  } catch {
    // Without the file others notice at their next look; a change that was made has not failed for that.
    await writeFile(path, '', { mode: 0o600 }).catch(() => undefined);
  }
}

/** The library and one of its own folders, made where missing. */
export async function makeFolder(store: CaptureStore, name: string): Promise<string> {
  const path = join(store.root, name);
  await makeFolders(path).catch((error: unknown) => {
    throw storageFailure(error, `make the folder ${path}`);
  });
  return path;
}

/** Runs a change of a capture and turns what can go wrong into one line with a remedy. */
export async function guarded<T>(attempt: string, id: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isMissing(error)) throw noSuchCapture(id);
    if (error instanceof DamagedDocument) throw new EngineFailure('damaged', error.message, error.remedy);
    throw storageFailure(error, attempt);
  }
}

function withEditLock<T>(store: CaptureStore, folder: string, action: () => Promise<T>): Promise<T> {
  const inUse = (): EngineFailure =>
    new EngineFailure(
      'in-use',
      'Another Flamebench process is still changing this capture.',
      'Try again; if this persists, quit the other process.',
    );
  return underLock(folder, EDIT_LOCK, store.self, { waitMs: EDIT_WAIT_MS, inUse }, action);
}

/** Bytes of the named files of a folder; missing ones count nothing. */
export async function sizeOf(folder: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
