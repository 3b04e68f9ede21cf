import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a small file as a whole: after a crash or a power cut, and for readers, it has either the old or the new
 * text. Writers of one path must exclude each other; the temporary name is fixed, so that a crash leaves at most one
 * file.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  try {
    const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | noFollow, 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
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

/** Zero on Windows, which has no such flag. */
const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
