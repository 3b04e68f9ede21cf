import { closeSync, constants, fchmodSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { identify, removeFileOf, removeMade } from './remove.ts';

/** The one module that creates, replaces and moves files of this machine. */

/** Zero on Windows, which has no such flags. */
const [NO_FOLLOW, NO_WAIT] = process.platform === 'win32' ? [0, 0] : [constants.O_NOFOLLOW, constants.O_NONBLOCK];

/** Creates a private file for writing; fails with EEXIST if there is anything, even a link, at the path. */
export const createFile = (path: string, mode = 0o600): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, mode);

/**
 * Replaces a small file as a whole: after a crash or a power cut, and for readers, it has either the old or the new
 * text. Its folder is this program's, and writers of one path exclude each other. The temporary name begins with a dot,
 * as no file of a capture does, and is fixed, so that a crash leaves at most one file. It is private without a `mode`.
 */
export async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  const [folder, name] = [dirname(path), `.${basename(path)}.new`];
  const temporary = join(folder, name);
  await removeFileOf(folder, name);
  const file = await createFile(temporary);
  try {
    try {
      await file.writeFile(text);
      if (mode !== undefined) await file.chmod(mode);
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

/**
 * {@link writeAtomically} for a file that the user may have replaced by a link: the target is replaced where it is, and
 * keeps its mode. Throws if it is not a regular file of this user.
 */
export async function writeThroughLink(path: string, text: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isSymbolicLink() !== true) return writeAtomically(path, text);
  const target = await realpath(path);
  const linked = await lstat(target);
  if (!linked.isFile() || (process.getuid !== undefined && linked.uid !== process.getuid()))
    throw new Error(`it is a link to ${target}, which is not a regular file of this user`);
  return writeAtomically(target, text, linked.mode & 0o777);
}

/**
 * Overwrites a small file of this user, or creates it, for code that can't wait; private from then on. A link is not
 * followed. After a crash, the file may be cut off.
 */
export function overwriteSync(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW | NO_WAIT, 0o600);
  try {
    fchmodSync(file, 0o600);
    ftruncateSync(file);
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
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
