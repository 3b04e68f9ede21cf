import { constants, lstatSync, rmSync, unlinkSync, type BigIntStats, type Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * The one module that deletes files of this machine. Each function needs proof that this program made what it deletes:
 * its device and inode as they were when it was made, or a folder of the program's own that contains it. Links are never
 * followed, mount points never crossed.
 */

/** Identifies a file or folder while it exists. Unlike a path, it can't lead to another one. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Something was not deleted or moved because it can't be proven to be this program's. */
export class NotOurs extends Error {
  readonly path: string;

  constructor(path: string, reason: string, done = 'deleted') {
    super(`${path} ${reason}, so it was not ${done}`);
    this.path = path;
  }
}

/** Returns the identity of what is at the path itself, link or not; null if nothing is. */
export async function identify(path: string): Promise<FileIdentity | null> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  return found === null ? null : { dev: found.dev, ino: found.ino };
}

export const isSameFile = (a: FileIdentity, b: FileIdentity): boolean => a.dev === b.dev && a.ino === b.ino;

/**
 * Deletes a file, a link or a socket that this process made. Returns false, and deletes nothing, if another one is at
 * the path by now, or none.
 */
export async function removeMade(path: string, made: FileIdentity): Promise<boolean> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  if (found === null || found.isDirectory() || !isSameFile(found, made)) return false;
  return unlink(path).then(
    () => true,
    () => false,
  );
}

/** {@link removeMade} for code that can't wait. */
export function removeMadeSync(path: string, made: FileIdentity): boolean {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || found.isDirectory() || !isSameFile(found, made)) return false;
  unlinkSync(path);
  return true;
}

/**
 * Deletes the regular file `name` of a folder that is this program's; what is none is left. `name` has no separators.
 * Returns whether there was one; a missing folder has none.
 */
export async function removeFileOf(folder: string, name: string): Promise<boolean> {
  if ((await lstat(folder).catch(() => null)) === null) return false;
  return inFolder(folder, async (place) => {
    const found = await lstat(join(place, name)).catch(() => null);
    if (found === null) return false;
    if (!found.isFile()) throw new NotOurs(join(folder, name), 'is not a regular file');
    await unlink(join(place, name));
    return true;
  });
}

/**
 * Deletes the folder `name` of a folder that is this program's, with everything in it. `name` has no separators. It is
 * walked by descriptors, so that nothing outside it is reached whatever is renamed meanwhile: links are deleted, not
 * followed. Throws {@link NotOurs} for a link, a file, a folder of another user and at a mount point; what was deleted
 * until then is gone. What does not exist is deleted already, perhaps by another process at the same time.
 */
export async function removeFolderOf(folder: string, name: string, made?: FileIdentity): Promise<void> {
  await unlessGone(
    inFolder(folder, async (place, { dev }) => {
      const path = join(place, name);
      const found = await lstat(path, { bigint: true }).catch(() => null);
      if (found === null) return;
      const shown = join(folder, name);
      if (!found.isDirectory()) throw new NotOurs(shown, 'is not a folder');
      if (!isOwn(found)) throw new NotOurs(shown, 'belongs to another user');
      if (made !== undefined && !isSameFile(found, made)) throw new NotOurs(shown, 'is not the folder that was made');
      await empty(path, shown, dev);
      await rmdir(path);
    }),
  );
}

/** Empties a folder on the device `dev`. Names are bytes, since they need not be UTF-8. */
async function empty(path: string | Buffer, shown: string, dev: bigint): Promise<void> {
  await inFolder(path, async (place, folder) => {
    if (folder.dev !== dev) throw new NotOurs(shown, 'is a mount point');
    for (const name of await readdir(place, { encoding: 'buffer' })) {
      const entry = Buffer.concat([Buffer.from(join(place, '/')), name]);
      await unlessGone(emptyEntry(entry, join(shown, name.toString()), dev));
    }
  });
}

async function emptyEntry(path: Buffer, shown: string, dev: bigint): Promise<void> {
  if ((await lstat(path)).isDirectory()) {
    await empty(path, shown, dev);
    await rmdir(path);
  } else await unlink(path);
}

async function unlessGone(action: Promise<void>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
}

/**
 * Runs an action on a folder that stays the same one while it runs. `place` is a path by which its entries are reached:
 * its descriptor on Linux, elsewhere its own path, which is compared before the action.
 */
async function inFolder<T>(
  path: string | Buffer,
  action: (place: string, folder: FileIdentity) => Promise<T>,
): Promise<T> {
  // Windows opens no folders.
  if (process.platform === 'win32') return action(path.toString(), await folderAt(path));
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const folder = await handle.stat({ bigint: true });
    if (process.platform === 'linux') return await action(`/proc/self/fd/${handle.fd}`, folder);
    if (!isSameFile(folder, await folderAt(path))) throw new NotOurs(path.toString(), 'was replaced');
    return await action(path.toString(), folder);
  } finally {
    await handle.close();
  }
}

async function folderAt(path: string | Buffer): Promise<FileIdentity> {
  const found = await lstat(path, { bigint: true });
  if (!found.isDirectory()) throw new NotOurs(path.toString(), 'is not a folder');
  return found;
}

/** Returns whether a file or folder belongs to the user of this process; on Windows always. */
export const isOwn = ({ uid }: Pick<BigIntStats, 'uid'> | Pick<Stats, 'uid'>): boolean =>
  process.getuid === undefined || Number(uid) === process.getuid();

/** {@link removeFolderOf}, or {@link removeFileOf} if `name` is a regular file; anything else is left. */
export async function removeEntryOf(folder: string, name: string): Promise<void> {
  const found = await lstat(join(folder, name)).catch(() => null);
  if (found === null) return;
  if (found.isDirectory()) await removeFolderOf(folder, name);
  else if (isOwn(found)) await removeFileOf(folder, name);
}

/** A folder that this process made and deletes when it is no longer needed. */
export interface TempFolder {
  readonly path: string;
  readonly made: FileIdentity;
  /**
   * Deletes the folder with everything in it; does nothing if it is gone or another one has its path by now. Waits for
   * files that a program which is ending still adds.
   */
  remove(): Promise<void>;
  /** {@link remove} for the end of the process, which can't wait. */
  removeSync(): void;
}

const MOST_TRIES = 5;
const RETRY_MS = 100;

/** Makes a folder that only the user may enter, named by the prefix and random characters. */
export const makeTempFolder = async (prefix: string, parent = tmpdir()): Promise<TempFolder> =>
  tempFolder(await mkdtemp(join(parent, prefix)));

/** Makes a folder that only the user may enter; fails with EEXIST if there is anything at the path. */
export async function makeTempFolderAt(path: string): Promise<TempFolder> {
  await mkdir(path, { mode: 0o700 });
  return tempFolder(path);
}

async function tempFolder(path: string): Promise<TempFolder> {
  const made = await lstat(path, { bigint: true });
  return {
    path,
    made,
    async remove() {
      for (let tries = 1; ; tries++) {
        try {
          return await removeFolderOf(dirname(path), basename(path), made);
        } catch (error) {
          if (error instanceof NotOurs) return;
          const isFilled = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY';
          if (!isFilled || tries === MOST_TRIES) throw error;
          await setTimeout(RETRY_MS);
        }
      }
    },
    removeSync() {
      const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (found !== undefined && isSameFile(found, made)) rmSync(path, { recursive: true });
    },
  };
}
