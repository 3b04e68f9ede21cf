import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwn, removeFolderOf } from '#collectors/effects/remove.ts';
import type { TrashedItem } from '#core/contract/trash-methods.ts';
import { EngineFailure, isMissing, storageFailure } from '../failure.ts';
import { kindOfId, NAMED_KINDS } from './find-named.ts';
import { isGeneratedId, TRASH_FOLDER } from './captures/files.ts';
import { ownFolder } from './library-marker.ts';
import { moveFromTrash, readTrashedAt } from './move-to-trash.ts';

interface Trash {
  /** Most recently trashed first. */
  readonly items: TrashedItem[];
  /** Names of entries that Flamebench did not put there, which it leaves alone. */
  readonly others: string[];
}

/** Returns the trash of the library at `root`. */
export async function listTrash(root: string): Promise<Trash> {
  const trash = join(root, TRASH_FOLDER);
  const items: TrashedItem[] = [];
  const others: string[] = [];
  for (const entry of await readdir(trash).catch(() => [])) {
    const item = await readItem(trash, entry).catch((error: unknown) => {
      // The folder was restored or deleted while the list was read.
      if (isMissing(error)) return null;
      throw storageFailure(error, `read the trash of ${root}`);
    });
    if (item === 'other') others.push(entry);
    else if (item !== null) items.push(item);
  }
  items.sort((a, b) => (b.trashedAt ?? 0) - (a.trashedAt ?? 0) || (a.entry < b.entry ? -1 : 1));
  return { items, others };
}

/** An item is a folder of this user's with a generated name, the note of its trashing, or a readable document. */
async function readItem(trash: string, entry: string): Promise<TrashedItem | 'other'> {
  const folder = join(trash, entry);
  const id = entry.replace(/\.[0-9a-f]{8}$/, '');
  const kind = kindOfId(id);
  const found = await lstat(folder);
  if (!found.isDirectory() || !isOwn(found)) return 'other';
  const name = await NAMED_KINDS[kind].nameIn(folder).catch(() => null);
  const trashedAt = await readTrashedAt(folder);
  const isOurs = trashedAt !== null || name !== null || isGeneratedId(id.replace(/^(?:experiment|load)-/, ''));
  if (!isOurs) return 'other';
  return { entry, id, kind, name: name ?? entry, sizeBytes: await folderBytes(folder), trashedAt };
}

/** Returns the size of all regular files below the folder; links are not followed. */
async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

/** Moves a folder of the trash back to its place; fails with `in-use` if its ID is taken by now. */
export async function restoreItem(root: string, { entry, id, kind }: TrashedItem): Promise<void> {
  const { parent } = NAMED_KINDS[kind];
  const place = join(root, parent, id);
  if ((await lstat(place).catch(() => null)) !== null) {
    throw new EngineFailure(
      'in-use',
      `The library already has another ${kind} ${id}.`,
      'Move that one to the trash first.',
    );
  }
  try {
    if (kind !== 'capture') await ownFolder(root, parent);
    await moveFromTrash(root, entry, place);
  } catch (error) {
    if (isMissing(error)) throw noSuchItem(entry);
    throw storageFailure(error, `restore ${entry}`);
  }
}

/** Permanently deletes folders of the trash. One that can't be deleted leaves the others to be. */
export async function deleteItems(root: string, items: readonly TrashedItem[]): Promise<void> {
  if (items.length === 0) return;
  const trash = await ownFolder(root, TRASH_FOLDER);
  const failures: EngineFailure[] = [];
  for (const { entry } of items) {
    await removeFolderOf(trash, entry).catch((error: unknown) => {
      failures.push(storageFailure(error, `delete ${entry} from the trash`));
    });
  }
  if (failures[0] !== undefined) throw failures[0];
}

const DAY_MS = 86_400_000;

/** Returns the items that are known to have been in the trash for at least `days` days; none for null. */
export const expiredItems = (items: readonly TrashedItem[], days: number | null, now: number): TrashedItem[] =>
  days === null ? [] : items.filter(({ trashedAt }) => trashedAt !== null && now - trashedAt >= days * DAY_MS);

/** Returns the item of that name; throws `not-found`. */
export function itemNamed(items: readonly TrashedItem[], entry: string): TrashedItem {
  const item = items.find((candidate) => candidate.entry === entry);
  if (item === undefined) throw noSuchItem(entry);
  return item;
}

const noSuchItem = (entry: string): EngineFailure =>
  new EngineFailure(
    'not-found',
    `Nothing in the trash is named ${JSON.stringify(entry.slice(0, 100))}.`,
    'List the trash again; it may have been restored or deleted.',
  );
