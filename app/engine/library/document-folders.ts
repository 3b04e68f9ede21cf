import { randomBytes } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { makeFolders, moveFolder, syncFolder, writeAtomically } from '#collectors/effects/write.ts';
import type { DamagedCapture } from '#core/contract/schemas.ts';
import { EngineFailure, isMissing, storageFailure } from '../failure.ts';
import { EDIT_LOCK, newCaptureId } from './captures/files.ts';
import { EDIT_WAIT_MS } from './captures/store.ts';
import { underLock } from '../disk/folder-lock.ts';
import { ownFolder, prepareLibrary } from './library-marker.ts';
import type { Library } from './library.types.ts';
import { moveFromTrash, moveToTrash } from './move-to-trash.ts';
import { ownIdentity } from '../disk/process-identity.ts';
import { withStaging } from './staging.ts';
import {
  changedText,
  DamagedDocument,
  parseVersioned,
  readDocumentFile,
  refuseInvalid,
  type DocumentKind,
} from './versioned-document.ts';

interface StoredDocument {
  readonly id: string;
  /** Unix milliseconds. */
  readonly changedAt: number;
}

/** A kind of document that is not a capture and has a folder of its own in the library, such as an experiment. */
export interface FolderDocument<T extends StoredDocument> extends DocumentKind {
  /** What users call it. */
  readonly noun: string;
  /** The beginning of each ID; IDs of captures never begin so. */
  readonly idPrefix: string;
  /** The library's folder with the folders of all documents of this kind. */
  readonly parent: string;
  readonly schema: z.ZodType<T>;
  /** The remedy if there is no document with an ID. */
  readonly ifMissing: string;
  /** Lists have the highest number first. */
  readonly listedBy: (document: T) => number;
}

/** Returns whether an ID is that of a document of this kind. */
export const isIdOf = ({ idPrefix }: Pick<FolderDocument<StoredDocument>, 'idPrefix'>, id: string): boolean =>
  id.startsWith(`${idPrefix}-`) && /^[a-z0-9][a-z0-9-]{0,60}$/.test(id.slice(idPrefix.length + 1));

/** Parses a document's text; throws a {@link DamagedDocument}. */
export function parseFolderDocument<T extends StoredDocument>(kind: FolderDocument<T>, text: string): T {
  const parsed = kind.schema.safeParse(parseVersioned(text, kind));
  if (!parsed.success) refuseInvalid(kind, parsed.error.issues[0]);
  return parsed.data;
}

/** Reads the document in a folder; throws a {@link DamagedDocument} or a system error. */
export const readFolderDocument = async <T extends StoredDocument>(
  kind: FolderDocument<T>,
  folder: string,
): Promise<T> => parseFolderDocument(kind, readDocumentFile(join(folder, kind.fileName)));

export const folderDocumentText = (document: StoredDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/**
 * The documents of one kind in a library. Several processes may use them concurrently. Methods reject with an
 * `EngineFailure`, except for `read`.
 */
export interface DocumentFolders<T extends StoredDocument> {
  newId(): string;
  folderOf(id: string): string;
  /** Rejects with a {@link DamagedDocument} or a system error; to be called within `guarded`. */
  read(id: string): Promise<T>;
  /** Returns the documents, each as `shown` returns it, and the folders whose document is unreadable. */
  list<Shown>(
    shown: (document: T) => Promise<Shown>,
  ): Promise<{ readonly documents: Shown[]; readonly damaged: DamagedCapture[] }>;
  /**
   * Adds a document. It is written to the temp folder first, with what `fill` writes, so that lists never contain a
   * partial one.
   */
  add(document: T, fill?: (folder: string) => Promise<void>): Promise<void>;
  /** Changes a document under its lock, so that concurrent changes are not lost. */
  change(id: string, attempt: string, change: (document: T) => T | Promise<T>): Promise<T>;
  /** Runs another change in a document's folder under its lock. */
  edit<Result>(id: string, attempt: string, action: (folder: string) => Promise<Result>): Promise<Result>;
  /** Moves the folder to the library's `.trash`. */
  trash(id: string): Promise<void>;
  restore(id: string): Promise<T>;
  /** Runs an action and converts its errors to one line with a remedy. */
  guarded<Result>(id: string, attempt: string, action: () => Promise<Result>): Promise<Result>;
}

export async function openDocumentFolders<T extends StoredDocument>(
  library: Library,
  kind: FolderDocument<T>,
  now: () => number,
): Promise<DocumentFolders<T>> {
  const self = await ownIdentity();
  const { noun } = kind;
  const root = join(library.path, kind.parent);

  const noSuch = (id: string): EngineFailure =>
    new EngineFailure('not-found', `No ${noun} ${JSON.stringify(id.slice(0, 100))} in the library.`, kind.ifMissing);

  const inUse = (): EngineFailure =>
    new EngineFailure(
      'in-use',
      `Another Flamebench process is still changing this ${noun}.`,
      'Try again; if this persists, quit the other process.',
    );

  function folderOf(id: string): string {
    if (!isIdOf(kind, id)) throw noSuch(id);
    return join(root, id);
  }

  async function read(id: string): Promise<T> {
    return { ...(await readFolderDocument(kind, folderOf(id))), id };
  }

  async function guarded<Result>(id: string, attempt: string, action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      if (isMissing(error)) throw noSuch(id);
      if (error instanceof DamagedDocument) throw new EngineFailure('damaged', error.message, error.remedy);
      throw storageFailure(error, `${attempt} the ${noun} ${id}`);
    }
  }

  const edit = <Result>(id: string, attempt: string, action: (folder: string) => Promise<Result>): Promise<Result> =>
    guarded(id, attempt, async () => {
      const folder = folderOf(id);
      await prepareLibrary(library.path);
      const result = await underLock(folder, EDIT_LOCK, self, { waitMs: EDIT_WAIT_MS, inUse }, () => action(folder));
      await library.touch();
      return result;
    });

  function damagedRow(id: string, error: unknown): DamagedCapture {
    if (error instanceof DamagedDocument) return { id, message: error.message, remedy: error.remedy };
    return { id, message: isMissing(error) ? `${kind.fileName} is missing` : String(error), remedy: kind.repair };
  }

  return {
    newId: () => `${kind.idPrefix}-${newCaptureId(now(), randomBytes(4).toString('hex'))}`,
    folderOf,
    read,
    guarded,
    edit,

    async list(shown) {
      const found: T[] = [];
      const damaged: DamagedCapture[] = [];
      for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
        if (!entry.isDirectory() || !isIdOf(kind, entry.name)) continue;
        try {
          found.push(await read(entry.name));
        } catch (error) {
          // The folder was moved to the trash while the list was read.
          if ((await lstat(join(root, entry.name)).catch(() => null)) !== null)
            damaged.push(damagedRow(entry.name, error));
        }
      }
      found.sort((a, b) => kind.listedBy(b) - kind.listedBy(a) || (a.id < b.id ? 1 : -1));
      const documents = [];
      for (const document of found) documents.push(await shown(document));
      return { documents, damaged };
    },

    async add(document, fill) {
      try {
        await withStaging(library.path, document.id, async (unfinished) => {
          await makeFolders(unfinished);
          await fill?.(unfinished);
          await writeAtomically(join(unfinished, kind.fileName), folderDocumentText(document));
          await ownFolder(library.path, kind.parent);
          await moveFolder(unfinished, join(root, document.id));
        });
        await syncFolder(root);
      } catch (error) {
        throw storageFailure(error, `add the ${noun} to ${library.path}`);
      }
      await library.touch();
    },

    change: (id, attempt, change) =>
      edit(id, attempt, async (folder) => {
        const path = join(folder, kind.fileName);
        const text = readDocumentFile(path);
        const known = parseFolderDocument(kind, text);
        const changed = { ...(await change({ ...known, id })), changedAt: now() };
        await writeAtomically(path, changedText(kind, text, known, changed));
        return changed;
      }),

    async trash(id) {
      await guarded(id, 'move to the trash', () => moveToTrash(library.path, folderOf(id), now()));
      await library.touch();
    },

    restore: (id) =>
      guarded(id, 'restore', async () => {
        const folder = folderOf(id);
        await ownFolder(library.path, kind.parent);
        await moveFromTrash(library.path, id, folder);
        await library.touch();
        return read(id);
      }),
  };
}
