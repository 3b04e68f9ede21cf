import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { isAt, openLocked, probeLock } from '#collectors/effects/kernel-lock.ts';
import { removeFileOf, removeMade } from '#collectors/effects/remove.ts';
import { EngineFailure, errorCode, isMissing } from '../failure.ts';
import { processState, type ProcessIdentity } from './process-identity.ts';
import { NotASmallFile, readSmallFile } from './read-small-file.ts';
import { jsonValue } from '#core/model/json-value.ts';

/**
 * A lock on a folder, held by one process: the file `<name>.lock` in it, which is locked by the kernel and ends with the
 * process. It is held through an open descriptor, so the folder may move. Where the kernel has no such locks, the
 * file holds the lock while its holder is alive, as its text says.
 */
export interface FolderLock {
  /** Returns false if the lock was lost: its file was deleted or replaced, or another process has taken over. */
  isHeld(folder: string): Promise<boolean>;
  /** Ends the lock. Takes the folder's current path. */
  release(folder: string): Promise<void>;
}

/** Maximum size of a lock file in bytes; the holder's text has about 200. */
const MAX_LOCK_BYTES = 4096;
/** Interval in ms at which a holder without a lock of the kernel changes its text. */
const BEAT_MS = 5000;
/**
 * A text that does not change for this time, in ms of the observer's monotonic clock, is that of a dead holder. Applies
 * only to holders that neither the kernel's lock nor the PID shows: in another machine or container, on a file system
 * without locks. Such a file system may stall for tens of seconds.
 */
const STALE_MS = 60_000;
/** Time in ms after which one of several processes that replaced the text of a dead holder has written last. */
const SETTLE_MS = 50;
/** Maximum delay in ms between two attempts to take a lock. */
const MAX_PAUSE_MS = 250;

const holderSchema = z.object({
  pid: z.number().int(),
  startTicks: z.string().nullable(),
  machine: z.string(),
  /** Whether the kernel holds the lock; earlier versions, which have files `<name>.lock.<number>`, never say so. */
  kernel: z.boolean().default(false),
  /** Names this one holding of the lock. */
  token: z.string().default(''),
});
type Holder = z.infer<typeof holderSchema>;

const lockFile = (name: string): string => `${name}.lock`;

/**
 * Takes the lock `name` on `folder`, or returns null if a live process holds it. Data guarded by the lock must be read
 * after taking it.
 */
export async function takeLock(folder: string, name: string, self: ProcessIdentity): Promise<FolderLock | null> {
  const older = await olderLocks(folder, name);
  const path = join(folder, lockFile(name));
  for (const one of [...older.map((entry) => join(folder, entry)), path]) if (await isHeldAt(one, self)) return null;
  const opened = await openLocked(path).catch((error: unknown) => {
    throw ['ELOOP', 'EISDIR', 'ENXIO'].includes(errorCode(error) ?? '') ? notALock(path) : error;
  });
  if (opened.file === null) return null;
  const { file, isNew } = opened;
  const isByKernel = opened.state === 'taken';
  const token = randomBytes(8).toString('hex');
  let beats = 0;
  const text = (): string =>
    JSON.stringify({ ...self, kernel: isByKernel, token, beat: String(beats++).padStart(10, '0') });
  const isOwn = async (): Promise<boolean> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LOCK_BYTES), 0, MAX_LOCK_BYTES, 0);
    return parseHolder(buffer.toString('utf8', 0, bytesRead))?.token === token;
  };
  const isHeld = async (current: string): Promise<boolean> =>
    (await isAt(join(current, lockFile(name)), file)) && (await isOwn());
  try {
    if (!(await file.stat()).isFile()) throw notALock(path);
    // The kernel's lock does not show a holder that has none.
    const isFree = isNew || !(await isHeldAt(path, self, isByKernel));
    if (isFree) await overwrite(path, text());
    if (isFree && !isByKernel && !isNew) await sleep(SETTLE_MS);
    if (!isFree || !(await isHeld(folder))) {
      await file.close();
      return null;
    }
  } catch (error) {
    if (isNew) await removeMade(path, await file.stat({ bigint: true }));
    await file.close();
    throw error;
  }
  for (const entry of older) await removeFileOf(folder, entry).catch(() => undefined);
  let beat: Promise<unknown> = Promise.resolve();
  // It also keeps the file from being closed as garbage.
  const timer = setInterval(() => {
    // Without the kernel's lock, the file is open for writing.
    const write = async () => ((await isOwn()) ? file.write(text(), 0) : null);
    if (!isByKernel) beat = write().catch(() => undefined);
  }, BEAT_MS).unref();
  return {
    isHeld,
    async release(current) {
      clearInterval(timer);
      await beat;
      try {
        if (await isOwn()) await removeMade(join(current, lockFile(name)), await file.stat({ bigint: true }));
      } catch {
        // What can't be deleted is not locked any more.
      } finally {
        await file.close();
      }
    },
  };
}

async function overwrite(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    await file.truncate(0);
    await file.write(text, 0);
  } finally {
    await file.close();
  }
}

/** The changes of this process by lock file: they take turns in the order in which they came. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs an action under the lock, after all others of this process. Waits until no other process has taken or released
 * the lock for `waitMs`, then throws the result of `inUse`.
 */
export async function underLock<T>(
  folder: string,
  name: string,
  self: ProcessIdentity,
  waiting: { readonly waitMs: number; readonly inUse: () => Error },
  action: () => Promise<T>,
): Promise<T> {
  const path = join(folder, lockFile(name));
  const run = async (): Promise<T> => {
    const lock = await waitForLock(folder, name, self, waiting);
    try {
      return await action();
    } finally {
      await lock.release(folder);
    }
  };
  const result = (queues.get(path) ?? Promise.resolve()).then(run);
  const settled = result.catch(() => undefined);
  queues.set(path, settled);
  try {
    return await result;
  } finally {
    if (queues.get(path) === settled) queues.delete(path);
  }
}

async function waitForLock(
  folder: string,
  name: string,
  self: ProcessIdentity,
  { waitMs, inUse }: { readonly waitMs: number; readonly inUse: () => Error },
): Promise<FolderLock> {
  const path = join(folder, lockFile(name));
  let since = performance.now();
  let holder = '';
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.3, MAX_PAUSE_MS)) {
    const lock = await takeLock(folder, name, self);
    if (lock !== null) return lock;
    const token = (await readHolder(path).catch(() => null))?.holder?.token ?? '';
    if (token !== holder) since = performance.now();
    holder = token;
    const limitMs = waitMs + (watched.has(path) ? STALE_MS + BEAT_MS : 0);
    if (performance.now() - since > limitMs) throw inUse();
    // A random delay avoids running in step with other waiting processes.
    await sleep(Math.random() * pauseMs);
  }
}

/** Returns whether a live process holds the lock. Writes nothing. */
export async function isLocked(folder: string, name: string, self: ProcessIdentity): Promise<boolean> {
  for (const entry of [...(await olderLocks(folder, name)), lockFile(name)]) {
    if (await isHeldAt(join(folder, entry), self)) return true;
  }
  return false;
}

/** Returns the lock's files that earlier versions made. */
async function olderLocks(folder: string, name: string): Promise<string[]> {
  const prefix = `${lockFile(name)}.`;
  return (await readdir(folder)).filter(
    (entry) => entry.startsWith(prefix) && /^\d+$/.test(entry.slice(prefix.length)),
  );
}

/** Returns whether the holder that a file names is alive. `isTaken`: this process has the kernel's lock on the file. */
async function isHeldAt(path: string, self: ProcessIdentity, isTaken = false): Promise<boolean> {
  try {
    const { holder, text, mtimeMs } = await readHolder(path);
    // A holder that was killed before it had written its text left an empty file.
    const isByKernel = holder?.kernel !== false;
    if (isByKernel && isTaken) return false;
    const state = holder === null ? 'unknown' : await processState(holder, self);
    if (state !== 'unknown') return state === 'alive';
    if (!isByKernel) return !isStale(path, `${mtimeMs} ${text}`);
    // Where this process can't see the kernel's lock, it does not take it over.
    return (await probeLock(path)) !== 'taken';
  } catch (error) {
    watched.delete(path);
    // A link, a folder or a FIFO is not a lock, so nobody holds it.
    if (isMissing(error) || errorCode(error) === 'ELOOP' || error instanceof NotASmallFile) return false;
    throw error;
  }
}

/** Locks whose holders can't be looked up, by path: how long this process has seen each one unchanged. */
const watched = new Map<string, { readonly sign: string; readonly unchangedMs: number; readonly lookedAt: number }>();

/** Counts at most a beat between two looks, so that nothing is stale because this process was paused. */
function isStale(path: string, sign: string): boolean {
  const lookedAt = performance.now();
  const before = watched.get(path);
  const unchangedMs = before?.sign === sign ? before.unchangedMs + Math.min(lookedAt - before.lookedAt, BEAT_MS) : 0;
  watched.set(path, { sign, unchangedMs, lookedAt });
  return unchangedMs >= STALE_MS;
}

async function readHolder(path: string): Promise<{ holder: Holder | null; text: string; mtimeMs: number }> {
  const [bytes, { mtimeMs }] = [await readSmallFile(path, MAX_LOCK_BYTES), await stat(path)];
  const text = bytes.toString('utf8');
  return { holder: parseHolder(text), text, mtimeMs };
}

const parseHolder = (text: string): Holder | null => holderSchema.safeParse(jsonValue(text)).data ?? null;

const notALock = (path: string): EngineFailure =>
  new EngineFailure(
    'damaged',
    `${path} is not a regular file, so nothing can be changed.`,
    'Move it out of the folder.',
  );
