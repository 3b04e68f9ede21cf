import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLocked } from '#collectors/effects/kernel-lock.ts';
import { removeEntryOf, removeMade } from '#collectors/effects/remove.ts';
import { EngineFailure } from '../failure.ts';
import { isStagedName, TEMP_FOLDER } from './captures/files.ts';
import { hasMarker, ownFolder } from './library-marker.ts';

/** Name of an entry's lock, a file next to it: it exists before the entry does, and stays when that moves away. */
const LOCK_SUFFIX = '.lock';

/**
 * Runs an action that makes a file or folder `name` at `path` in the temp folder, usually to move it into the library.
 * Whatever is still there afterwards is deleted, after a crash by {@link clearTempFolder}: the kernel holds a lock on
 * the name meanwhile, which ends with this process.
 */
export async function withStaging<T>(root: string, name: string, action: (path: string) => Promise<T>): Promise<T> {
  const temp = await ownFolder(root, TEMP_FOLDER);
  const { state, file } = await openLocked(join(temp, name + LOCK_SUFFIX));
  if (file === null) throw new EngineFailure('in-use', `Another Flamebench process is making ${name}.`, 'Try again.');
  try {
    // Where others can lock the file nevertheless, its content tells them that it is in use.
    if (state === 'unsupported') await file.writeFile('This system has no locks that end with a process.\n');
    return await action(join(temp, name));
  } finally {
    // What can't be deleted is left to the next start.
    await removeEntryOf(temp, name).catch(() => undefined);
    await removeMade(join(temp, name + LOCK_SUFFIX), await file.stat({ bigint: true }));
    await file.close();
  }
}

/**
 * Deletes what processes that have ended left in the temp folder: entries with names that Flamebench gives, whose lock
 * nobody holds. They were never in the list, or had been discarded. A folder without the library's marker is left alone.
 */
export async function clearTempFolder(root: string): Promise<void> {
  if (!(await hasMarker(root))) return;
  const temp = join(root, TEMP_FOLDER);
  const entries = await readdir(temp).catch(() => []);
  const names = entries.map((entry) => (entry.endsWith(LOCK_SUFFIX) ? entry.slice(0, -LOCK_SUFFIX.length) : entry));
  for (const name of new Set(names.filter(isStagedName))) {
    await clearEntry(temp, name).catch(() => undefined);
  }
}

async function clearEntry(temp: string, name: string): Promise<void> {
  const path = join(temp, name + LOCK_SUFFIX);
  const { state, file } = await openLocked(path);
  if (file === null) return;
  try {
    const found = await file.stat({ bigint: true });
    if (state !== 'taken' || found.size > 0n) return;
    await removeEntryOf(temp, name);
    await removeMade(path, found);
  } finally {
    await file.close();
  }
}
