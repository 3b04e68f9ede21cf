import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../failure.ts';

/**
 * Makes a folder and those above it, private to the user. Node's own `recursive` never returns where a file system lets nothing be made
 * (/proc), and hides the reason on a read-only one.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    // Another may have made the parent meanwhile.
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    await makeFolders(parent);
    await mkdir(path, { mode: 0o700 }).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
