import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, stat, symlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { identify, isOwn, NotOurs, removeFileOf, removeMade, type FileIdentity } from './remove.ts';

/** The one module that creates, replaces and moves files of this machine. */

/** Zero on Windows, which has no such flag. */
export const NO_FOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

const NON_BLOCK = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

/** Creates a private file for writing; fails with EEXIST if there is anything, even a link, at the path. */
export const createFile = (path: string, mode = 0o600): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, mode);

/**
 * Replaces a small file as a whole: after a crash or a power cut, and for readers, it has either the old or the new
 * text. Its folder is this program's, and writers of one path exclude each other. The temporary name begins with a dot,
 * as no file of a capture does, and is fixed, so that a crash leaves at most one file. The file has this very mode,
 * whatever the umask.
 */
export async function writeAtomically(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const [folder, name] = [dirname(path), `.${basename(path)}.new`];
  const temporary = join(folder, name);
  await removeFileOf(folder, name);
  const file = await createFile(temporary);
  try {
    try {
      await file.writeFile(content);
      await file.chmod(mode);
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
  const linked = await lstat(target, { bigint: true });
  if (!linked.isFile() || !isOwn(linked)) {
    throw new Error(`it is a link to ${target}, which is not a regular file of this user`);
  }
  return writeAtomically(target, text, Number(linked.mode & 0o777n));
}

/**
 * Creates a file with its content and this very mode, whatever the umask; after a failure nothing is left. Fails with
 * EEXIST as {@link createFile} does.
 */
export async function writeNew(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const file = await createFile(path, mode);
  try {
    await file.writeFile(content);
    await file.chmod(mode);
  } catch (error) {
    const made = await identify(path);
    if (made !== null) await removeMade(path, made);
    throw error;
  } finally {
    await file.close();
  }
}

/** Makes a symbolic link; null if it can't, as where there is something already. */
export const makeLink = (target: string, path: string): Promise<FileIdentity | null> =>
  symlink(target, path).then(
    () => identify(path),
    () => null,
  );

/** Sets the modification time of a file, created private if missing; a link is not followed. */
export async function touchFile(path: string, time: Date): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW | NON_BLOCK, 0o600);
  try {
    await file.utimes(time, time);
  } finally {
    await file.close();
  }
}

/**
 * Appends to a file, created private if missing, in one call for each chunk, so that chunks of several processes are not
 * mixed. `afresh` empties it first. Throws {@link NotOurs} unless it is a regular file of this user.
 */
export async function appendToFile(path: string, chunks: Iterable<Uint8Array>, afresh: boolean): Promise<void> {
  const append = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
  const file = await open(path, append | NO_FOLLOW | NON_BLOCK, 0o600);
  try {
    const found = await file.stat();
    if (!found.isFile() || !isOwn(found)) throw new NotOurs(path, 'is not a regular file of this user', 'changed');
    if (afresh) await file.truncate(0);
    for (const chunk of chunks) await file.write(chunk);
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

/**
 * Creates the private folder `name` of a cache. Throws if a folder or link on the way to it is not this user's or
 * root's, or the folder itself is not this user's: what is written there or read from it could be another user's, as in
 * a home that root was given (`sudo -E`).
 */
export async function makeCacheFolder(cache: string, name: string): Promise<string> {
  let existing = resolve(cache);
  while ((await identify(existing)) === null) existing = dirname(existing);
  await refuseForeign(existing);
  await makeFolders(cache);
  const path = join(cache, name);
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  await refuseForeign(resolve(path));
  const found = await lstat(path, { bigint: true });
  if (!found.isDirectory() || !isOwn(found)) throw new Error(`${path} is not a folder of this user`);
  return path;
}

async function refuseForeign(folder: string): Promise<void> {
  for (let path of [folder, await realpath(folder)]) {
    for (; ; path = dirname(path)) {
      const found = await lstat(path, { bigint: true });
      if (!isOwn(found) && found.uid !== 0n) throw new Error(`${path} belongs to another user`);
      if (path === dirname(path)) break;
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
