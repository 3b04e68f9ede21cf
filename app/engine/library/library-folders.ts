import { unwatchFile, watchFile, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DamagedCapture } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';
import { CHANGED_FILE, DOCUMENT_FILE, isCaptureId } from './capture-files.ts';
import type { CaptureFile } from './library.types.ts';

/** How often changes by other processes are looked for: watching works on no network file system, looking does on all. */
const WATCH_MS = 1000;

/** Folders of the library: captures, and those that hold a capture under a name that is none of ours. */
export async function readFolders(root: string): Promise<{ name: string; isCapture: boolean }[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders: { name: string; isCapture: boolean }[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))) {
    const isCapture = isCaptureId(name) && !name.startsWith('sample-');
    if (isCapture || (await lstat(join(root, name, DOCUMENT_FILE)).catch(() => null)) !== null) {
      folders.push({ name, isCapture });
    }
  }
  return folders;
}

export const renamedFolder = (name: string): DamagedCapture => ({
  id: name,
  message: 'Unexpected folder name.',
  remedy: 'Rename it to lower-case letters, digits and hyphens; the name in capture.json is the one shown.',
});

/** A file of a capture's folder, not followed where it is a link. */
export async function regularFile(folder: string, fileName: string): Promise<CaptureFile> {
  const path = join(folder, fileName);
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isFile()) {
    throw new EngineFailure(
      'file-missing',
      `The capture's file ${fileName} is missing.`,
      'Put it back into the capture’s folder, or trash the capture.',
    );
  }
  return { path, fileName, size: found.size, cached: false };
}

/** Calls `listener` after changes by any process, within about a second. Returns the way to stop it. */
export function watchLibrary(root: string, listener: () => void): () => void {
  const paths = [join(root, CHANGED_FILE), root];
  const onStat = (now: Stats, before: Stats): void => {
    // What isn't there is reported once, as unchanged.
    if (now.mtimeMs !== before.mtimeMs) listener();
  };
  for (const path of paths) watchFile(path, { interval: WATCH_MS, persistent: false }, onStat);
  return () => {
    for (const path of paths) unwatchFile(path, onStat);
  };
}
