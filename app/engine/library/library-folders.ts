import { unwatchFile, watchFile, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DamagedCapture } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';
import { CHANGED_FILE, DOCUMENT_FILE, isCaptureId, isGeneratedId } from './captures/files.ts';
import type { CaptureFile } from './library.types.ts';
import { isSampleId } from './sample-captures.ts';

/**
 * Interval in ms at which changes by other processes are detected. Polling works on all file systems, watching does not
 * work on network file systems.
 */
const WATCH_MS = 1000;

/** A folder of the library that is a capture, or would be one without this damage. */
interface FoundFolder {
  readonly name: string;
  readonly damage: DamagedCapture | null;
}

/**
 * Returns the library's captures, with those under an unexpected name and links to any. A folder without a
 * `capture.json` is one only if Flamebench generated its name.
 */
export async function readFolders(root: string): Promise<FoundFolder[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders: FoundFolder[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const isLink = entry.isSymbolicLink();
    if (name.startsWith('.') || !(isLink || entry.isDirectory())) continue;
    if (!isGeneratedId(name) && (await lstat(join(root, name, DOCUMENT_FILE)).catch(() => null)) === null) continue;
    const hasId = isCaptureId(name) && !isSampleId(name);
    folders.push({ name, damage: isLink ? linkedFolder(name) : hasId ? null : renamedFolder(name) });
  }
  return folders;
}

const linkedFolder = (id: string): DamagedCapture => ({
  id,
  message: 'A link, not a folder.',
  remedy: 'Move the capture’s folder itself into the library, or delete the link.',
});

const renamedFolder = (name: string): DamagedCapture => ({
  id: name,
  message: 'Unexpected folder name.',
  remedy: 'Rename it to lower-case letters, digits and hyphens; the name in capture.json is the one shown.',
});

/** Returns a regular file of a capture's folder; links are not followed. */
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

/** Those who follow the changes of a library. Other processes’ changes are watched while there is any. */
export function createChangeListeners(root: string) {
  const listeners = new Set<() => void>();
  let stopWatching: (() => void) | null = null;
  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const close = (): void => {
    listeners.clear();
    stopWatching?.();
    stopWatching = null;
  };
  return {
    announce,
    /** Returns the function that ends it. */
    add(listener: () => void): () => void {
      stopWatching ??= watchLibrary(root, announce);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
    close,
  };
}

/** Calls `listener` after changes by any process, within about a second. Returns the function that stops it. */
function watchLibrary(root: string, listener: () => void): () => void {
  const paths = [join(root, CHANGED_FILE), root];
  const onStat = (now: Stats, before: Stats): void => {
    // A missing file is reported once, as unchanged.
    if (now.mtimeMs !== before.mtimeMs) listener();
  };
  for (const path of paths) watchFile(path, { interval: WATCH_MS, persistent: false }, onStat);
  return () => {
    for (const path of paths) unwatchFile(path, onStat);
  };
}
