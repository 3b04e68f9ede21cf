import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { identify, isOwn, NotOurs, removeFileOf, removeMade } from './remove.ts';

/** The one module that creates, replaces and moves files of this machine. */

/** Zero on Windows, which has no such flag. */
const NO_FOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

/** Creates a private file for writing; fails with EEXIST if there is anything, even a link, at the path. */
export const createFile = (path: string, mode = 0o600): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, mode);

/**
 * Replaces a small file as a whole: after a crash or a power cut, and for readers, it has either the old or the new
 * text. Its folder is this program's, and writers of one path exclude each other. The temporary name begins with a dot,
 * as no file of a capture does, and is fixed, so that a crash leaves at most one file.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const [folder, name] = [dirname(path), `.${basename(path)}.new`];
  const temporary = join(folder, name);
  await removeFileOf(folder, name);
  const file = await createFile(temporary);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await removeFileOf(folder, name).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Creates a file with its content; after a failure nothing is left. Fails with EEXIST as {@link createFile} does. */
export async function writeNew(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const file = await createFile(path, mode);
  try {
    await file.writeFile(content);
  } catch (error) {
    const made = await identify(path);
    if (made !== null) await removeMade(path, made);
    throw error;
  } finally {
    await file.close();
  }
}

/** Sets the modification time of a file, created private if missing; a link is not followed. */
export async function touchFile(path: string, time: Date): Promise<void> {
  const nonBlock = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW | nonBlock, 0o600);
  try {
    await file.utimes(time, time);
  } finally {
    await file.close();
  }
}

/**
 * Moves a folder of this user's on its file system. Replaces nothing: fails with EEXIST if there is anything, even a
 * link, at the new path. Throws {@link NotOurs} for a link, a file or a folder of another user. Both parents are this
 * program's.
 */
export async function moveFolder(from: string, to: string): Promise<void> {
  const found = await lstat(from);
  if (!found.isDirectory()) throw new NotOurs(from, 'is not a folder', 'moved');
  if (!isOwn(found)) throw new NotOurs(from, 'belongs to another user', 'moved');
  if ((await identify(to)) !== null) throw Object.assign(new Error(`EEXIST: ${to} exists`), { code: 'EEXIST' });
  await rename(from, to);
}

/** Moves a file that this process made over a regular file or to where nothing is; anything else there is kept. */
export async function replaceFile(from: string, to: string): Promise<void> {
  const there = await lstat(to).catch(() => null);
  if (there !== null && !there.isFile()) throw new NotOurs(to, 'is not a regular file', 'replaced');
  await rename(from, to);
}

/**
 * Makes a rename in the folder durable. On systems that cannot sync a folder, the rename is as durable as it can be.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch {
    return;
  }
}

/**
 * Creates a folder and its parents, private to the user. Node's `recursive` option never returns on file systems that
 * refuse new folders (/proc), and hides the reason on read-only ones.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    // Another process may have created the parent in the meantime.
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ENOENT' || parent === path) throw error;
    await makeFolders(parent);
    await mkdir(path, { mode: 0o700 }).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
