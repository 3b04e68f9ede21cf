import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineFailure, isMissing, storageFailure } from '../failure.ts';
import { EXPERIMENT_FILE, isExperimentId, parseExperiment } from '../experiments/experiment-document.ts';
import { EXPERIMENTS_FOLDER, TRASH_FOLDER } from './capture-files.ts';
import { readDocument } from './capture-store.ts';
import { makeFolders } from './make-folders.ts';
import { readDocumentFile } from './versioned-document.ts';

/** A folder of the library's `.trash`. */
export interface TrashedItem {
  /** The folder's name: the id, with `.<8 hex digits>` after it where an older folder of that id was there. */
  readonly entry: string;
  /** The id that it has again once it is restored. */
  readonly id: string;
  readonly kind: 'capture' | 'experiment';
  /** The folder's name where its document can't be read. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Unix milliseconds; as exact as the file system's times. */
  readonly trashedAt: number;
}

/** What the library at `root` has in its trash, last trashed first. */
export async function listTrash(root: string): Promise<TrashedItem[]> {
  const trash = join(root, TRASH_FOLDER);
  const items: TrashedItem[] = [];
  for (const entry of await readdir(trash, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue;
    const item = await readItem(trash, entry.name).catch((error: unknown) => {
      // Restored or deleted while the list was read.
      if (isMissing(error)) return null;
      throw storageFailure(error, `read the trash of ${root}`);
    });
    if (item !== null) items.push(item);
  }
  return items.sort((a, b) => b.trashedAt - a.trashedAt || (a.entry < b.entry ? -1 : 1));
}

async function readItem(trash: string, entry: string): Promise<TrashedItem> {
  const folder = join(trash, entry);
  const id = entry.replace(/\.[0-9a-f]{8}$/, '');
  const isExperiment = isExperimentId(id);
  // A rename changes the folder's own status, so its ctime is when it was trashed.
  const { ctimeMs } = await lstat(folder);
  const name = isExperiment
    ? readDocumentFile(join(folder, EXPERIMENT_FILE)).then((text) => parseExperiment(text).name)
    : readDocument(folder).then((document) => document.name);
  return {
    entry,
    id,
    kind: isExperiment ? 'experiment' : 'capture',
    name: await name.catch(() => entry),
    sizeBytes: await folderBytes(folder),
    trashedAt: ctimeMs,
  };
}

/** Bytes of all regular files below the folder; links are not followed. */
async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

/** Moves a folder of the trash back to where it was; fails with `in-use` where another one has its id by now. */
export async function restoreItem(root: string, { entry, id, kind }: TrashedItem): Promise<void> {
  const parent = kind === 'experiment' ? join(root, EXPERIMENTS_FOLDER) : root;
  const place = join(parent, id);
  if ((await lstat(place).catch(() => null)) !== null) {
    throw new EngineFailure(
      'in-use',
      `The library already has another ${kind} ${id}.`,
      'Move that one to the trash first.',
    );
  }
  try {
    await makeFolders(parent);
    await rename(join(root, TRASH_FOLDER, entry), place);
  } catch (error) {
    if (isMissing(error)) throw noSuchItem(entry);
    throw storageFailure(error, `restore ${entry}`);
  }
}

/** Deletes folders of the trash for good. */
export async function deleteItems(root: string, items: readonly TrashedItem[]): Promise<void> {
  for (const { entry } of items) {
    await rm(join(root, TRASH_FOLDER, entry), { recursive: true, force: true }).catch((error: unknown) => {
      throw storageFailure(error, `delete ${entry} from the trash`);
    });
  }
}

export const noSuchItem = (entry: string): EngineFailure =>
  new EngineFailure(
    'not-found',
    `Nothing in the trash is named ${JSON.stringify(entry.slice(0, 100))}.`,
    'List the trash again; it may have been restored or deleted.',
  );
