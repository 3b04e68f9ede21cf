import { open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode, isMissing } from '../failure.ts';
import { NotASmallFile, readSmallFile } from './read-small-file.ts';
import { processState, type ProcessIdentity } from './process-identity.ts';

/**
 * A lock on a folder, held by one process. It survives the process as a file, by which others see that its holder has ended. Both
 * functions are told where the folder is now: it moves into the library with its lock.
 */
export interface FolderLock {
  /** Says that the holder is still there, to processes that can't look it up. */
  touch(folder: string): Promise<void>;
  release(folder: string): Promise<void>;
}

/** A holder's text has some 150 bytes. */
const MAX_LOCK_BYTES = 4096;
/** How old a lock's last sign of life may be where its process can't be looked up (another machine or container). */
const FOREIGN_LOCK_MS = 60_000;
/**
 * How long a lock may be without its content, less than anyone waits for one: its process was killed between creating and writing it. One that
 * was only stopped meanwhile looks at the others after writing, and steps back.
 */
const UNWRITTEN_LOCK_MS = 2000;

const holderSchema = z.object({ pid: z.number().int(), startTicks: z.string().nullable(), machine: z.string() });

/**
 * Takes the lock `name` on `folder`, or returns null where a live process holds it (or takes it at the same moment: try again). A lock is
 * a file `<name>.lock.<generation>`; any whose process lives holds it. Creating comes before looking at the others once more, so of two
 * that take over from an ended process at least one sees the other and steps back. What the lock guards must be read after taking it.
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

/** Does something under the lock; waits for who holds it, for at most `waitMs`, then throws what `inUse` makes. */
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
    // Not in step with others that wait.
    await sleep(2 + Math.random() * 20);
  }
}

/** Whether a live process holds the lock. */
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
    // Nobody holds what is not a lock: a link, a folder, a FIFO.
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
