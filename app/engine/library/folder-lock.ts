import { open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { errorCode, isMissing } from '../failure.ts';
import { NotASmallFile, readSmallFile } from './read-small-file.ts';
import { processState, type ProcessIdentity } from './process-identity.ts';

/**
 * A lock on a folder, held by one process. The lock's file outlives the process, so that others can see that the holder
 * has ended. Both methods take the folder's current path, because it moves into the library with its lock.
 */
export interface FolderLock {
  /** Shows that the holder is alive, to processes that cannot look it up. */
  touch(folder: string): Promise<void>;
  release(folder: string): Promise<void>;
}

/** Maximum size of a lock file in bytes; the holder's text has about 150. */
const MAX_LOCK_BYTES = 4096;
/**
 * Maximum age in ms of a lock's last sign of life if its process cannot be looked up (another machine or container).
 */
const FOREIGN_LOCK_MS = 60_000;
/**
 * Time in ms for which a lock may be empty, less than anyone waits for one: its process was killed between creating and
 * writing it. A process that was merely stopped checks for other locks after writing, and yields.
 */
const UNWRITTEN_LOCK_MS = 2000;

const holderSchema = z.object({ pid: z.number().int(), startTicks: z.string().nullable(), machine: z.string() });

/**
 * Takes the lock `name` on `folder`, or returns null if a live process holds it (or takes it at the same moment: try
 * again). A lock is a file `<name>.lock.<generation>`; any whose process is alive holds the lock. The file is created
 * before the others are checked again, so of two processes that take over from an ended one, at least one sees the
 * other and yields. Data guarded by the lock must be read after taking it.
 */
export async function takeLock(folder: string, name: string, self: ProcessIdentity): Promise<FolderLock | null> {
  const before = await generations(folder, name);
  if (await anyHeld(folder, name, before, self)) return null;
  const own = Math.max(-1, ...before) + 1;
  const path = lockPath(folder, name, own);
  try {
    await createWhole(path, JSON.stringify(self));
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return null;
    throw error;
  }
  const others = (await generations(folder, name)).filter((generation) => generation !== own);
  if (await anyHeld(folder, name, others, self)) {
    await rm(path, { force: true });
    return null;
  }
  return {
    touch: async (current) => {
      const now = new Date();
      await utimes(lockPath(current, name, own), now, now);
    },
    release: async (current) => {
      for (const generation of [...others, own]) await rm(lockPath(current, name, generation), { force: true });
    },
  };
}

/** Runs an action under the lock. Waits for the holder for at most `waitMs`, then throws the result of `inUse`. */
export async function underLock<T>(
  folder: string,
  name: string,
  self: ProcessIdentity,
  { waitMs, inUse }: { readonly waitMs: number; readonly inUse: () => Error },
  action: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = await takeLock(folder, name, self);
    if (lock !== null) {
      try {
        return await action();
      } finally {
        await lock.release(folder);
      }
    }
    if (performance.now() > deadline) throw inUse();
    // A random delay avoids running in step with other waiting processes.
    await sleep(2 + Math.random() * 20);
  }
}

/** Returns whether a live process holds the lock. */
export async function isLocked(folder: string, name: string, self: ProcessIdentity): Promise<boolean> {
  return anyHeld(folder, name, await generations(folder, name), self);
}

async function generations(folder: string, name: string): Promise<number[]> {
  const prefix = `${name}.lock.`;
  const entries = await readdir(folder);
  return entries
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => Number(entry.slice(prefix.length)))
    .filter((generation) => Number.isSafeInteger(generation));
}

async function anyHeld(folder: string, name: string, among: readonly number[], self: ProcessIdentity) {
  for (const generation of among) {
    if (await isHeld(lockPath(folder, name, generation), self)) return true;
  }
  return false;
}

async function isHeld(path: string, self: ProcessIdentity): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = [await readSmallFile(path, MAX_LOCK_BYTES), await stat(path)];
    const age = Date.now() - mtimeMs;
    const holder = parseHolder(text.toString('utf8'));
    if (holder === null) return age < UNWRITTEN_LOCK_MS;
    const state = await processState(holder, self);
    return state === 'alive' || (state === 'unknown' && age < FOREIGN_LOCK_MS);
  } catch (error) {
    // A link, a folder or a FIFO is not a lock, so nobody holds it.
    if (isMissing(error) || errorCode(error) === 'ELOOP' || error instanceof NotASmallFile) return false;
    throw error;
  }
}

function parseHolder(text: string): ProcessIdentity | null {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function createWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const lockPath = (folder: string, name: string, generation: number): string =>
  join(folder, `${name}.lock.${generation}`);
