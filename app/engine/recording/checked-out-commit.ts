import { open, readlink, stat } from 'node:fs/promises';
import path from 'node:path';

/** Limits of what is read: folders up to the root, and bytes of a file; packed references can be many. */
const MAX_FOLDERS = 64;
const MAX_BYTES = 4 << 20;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const REFERENCE = /^ref: (refs\/[\w./@+-]+)$/;

/** Returns the folder in which a process of this machine works; null if this user may not read it. */
export const workingFolderOf = (pid: number): Promise<string | null> => readlink(`/proc/${pid}/cwd`).catch(() => null);

/**
 * Returns the commit that is checked out in a folder of this machine or in one that contains it; null if there is none.
 * Reads git's files itself, since a repository's configuration can make git run programs. Uncommitted changes are not
 * looked for.
 */
export async function checkedOutCommit(folder: string): Promise<string | null> {
  if (!path.isAbsolute(folder)) return null;
  let at = path.normalize(folder);
  for (let depth = 0; depth < MAX_FOLDERS; depth++) {
    const gitFolder = await gitFolderOf(path.join(at, '.git'));
    if (gitFolder !== null) return commitOf(gitFolder);
    const parent = path.dirname(at);
    if (parent === at) return null;
    at = parent;
  }
  return null;
}

/** Returns the folder itself, or the one that a file of a worktree or submodule names. */
async function gitFolderOf(place: string): Promise<string | null> {
  const found = await stat(place).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return place;
  const named = /^gitdir: (.+)$/m.exec((await readStart(place)) ?? '')?.[1];
  return named === undefined ? null : path.resolve(path.dirname(place), named);
}

async function commitOf(gitFolder: string): Promise<string | null> {
  const head = (await readStart(path.join(gitFolder, 'HEAD')))?.trim() ?? '';
  if (COMMIT.test(head)) return head;
  const reference = REFERENCE.exec(head)?.[1];
  if (reference === undefined || reference.split('/').includes('..')) return null;
  // A worktree has its own HEAD, and the references of its repository.
  const common = (await readStart(path.join(gitFolder, 'commondir')))?.trim();
  const shared = common === undefined ? gitFolder : path.resolve(gitFolder, common);
  for (const place of new Set([gitFolder, shared])) {
    const loose = (await readStart(path.join(place, reference)))?.trim() ?? '';
    if (COMMIT.test(loose)) return loose;
  }
  const packed = (await readStart(path.join(shared, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${reference}`));
  const commit = line?.slice(0, line.indexOf(' ')) ?? '';
  return COMMIT.test(commit) ? commit : null;
}

/** Returns the start of a regular file as text; null if it can't be read. */
async function readStart(file: string): Promise<string | null> {
  try {
    // Opening a pipe would wait for its writer.
    if (!(await stat(file)).isFile()) return null;
    const handle = await open(file, 'r');
    try {
      const buffer = Buffer.alloc(Math.min(MAX_BYTES, (await handle.stat()).size));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}
