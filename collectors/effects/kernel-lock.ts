import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { finishProgram } from './start-program.ts';
import { isSameFile } from './remove.ts';

/**
 * Locks that the kernel holds: they end when their process does, however it ends, and hold in every PID namespace,
 * whatever the clock says. flock(1) of util-linux or busybox takes them, since Node has no such call: a lock of flock(2)
 * belongs to the open file, so it stays when that command, which inherits the descriptor, has ended.
 */

/** `held` by another open file; `unsupported`: this system or file system has no such locks. */
type LockState = 'taken' | 'held' | 'unsupported';

type LockedFile =
  | { readonly state: 'taken' | 'unsupported'; readonly file: FileHandle }
  | { readonly state: 'held'; readonly file: null };

/** Flags of open(2) on macOS and BSD, which lock the file that they open. */
const O_SHLOCK = 0x10;
const O_EXLOCK = 0x20;
const HAS_LOCKING_OPEN = process.platform === 'darwin' || process.platform === 'freebsd';

/** Flags of open(2) on macOS and BSD that lock the file which it opens, or fail with EAGAIN; zero elsewhere. */
export const LOCKING_OPEN = HAS_LOCKING_OPEN ? O_EXLOCK | constants.O_NONBLOCK : 0;

/** Takes the exclusive lock on a file that was opened with {@link LOCKING_OPEN}, without waiting. */
export const lockOpened = (descriptor: number): LockState =>
  HAS_LOCKING_OPEN ? 'taken' : lockDescriptor(descriptor, false);

/** Windows has neither flag. */
const PLAIN = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file for the lock on it, created private if missing; a link is not followed. The file is the one at the path
 * when the lock was taken: whoever deletes it does so under the lock. Does not wait. The caller closes `file`, which
 * ends the lock; it can be read. `isNew` if this call created the file.
 */
export async function openLocked(
  path: string,
): Promise<
  | { readonly state: 'taken' | 'unsupported'; readonly file: FileHandle; readonly isNew: boolean }
  | { readonly state: 'held'; readonly file: null }
> {
  const create = constants.O_RDONLY | constants.O_CREAT | constants.O_EXCL;
  for (;;) {
    const created = await lockOpen(path, create, false).catch(unless('EEXIST'));
    // Another process may delete the file in the meantime.
    const opened = created ?? (await lockOpen(path, constants.O_RDONLY, false).catch(unless('ENOENT')));
    if (opened?.file === null) return opened;
    if (opened !== null && (opened.state === 'unsupported' || (await isAt(path, opened.file))))
      return { ...opened, isNew: opened === created };
    await opened?.file.close();
  }
}

/**
 * Returns whether the file at a path, which need not be writable, is locked; null if none is there. A process that tries
 * to take the lock at the same moment may find it held.
 */
export async function probeLock(path: string): Promise<LockState | null> {
  const opened = await lockOpen(path, constants.O_RDONLY, true).catch(unless('ENOENT'));
  await opened?.file?.close();
  return opened?.state ?? null;
}

async function lockOpen(path: string, access: number, shared: boolean): Promise<LockedFile> {
  const flags = access | PLAIN;
  if (HAS_LOCKING_OPEN) {
    try {
      return { state: 'taken', file: await open(path, flags | (shared ? O_SHLOCK : O_EXLOCK), 0o600) };
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return { state: 'held', file: null };
      if (codeOf(error) !== 'ENOTSUP' && codeOf(error) !== 'EOPNOTSUPP') throw error;
    }
  }
  // Open for reading, so that a lock does not keep its file system from being made read-only.
  let file = await open(path, flags, 0o600);
  let state = HAS_LOCKING_OPEN ? 'unsupported' : lockDescriptor(file.fd, shared);
  if (state === 'unsupported' && !shared) {
    // Network file systems lock exclusively only what is open for writing.
    const writable = await open(path, constants.O_RDWR | PLAIN);
    await file.close();
    file = writable;
    state = HAS_LOCKING_OPEN ? state : lockDescriptor(file.fd, shared);
  }
  if (state !== 'held') return { state, file };
  await file.close();
  return { state, file: null };
}

function lockDescriptor(descriptor: number, shared: boolean): LockState {
  const { status } = finishProgram('flock', [shared ? '-s' : '-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  });
  if (status === 0) return 'taken';
  return status === 1 ? 'held' : 'unsupported';
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/** Returns a handler that turns errors with this code to null. */
const unless =
  (code: string) =>
  (error: unknown): null => {
    if (codeOf(error) === code) return null;
    throw error;
  };

/** Returns whether the open file is still the one at the path. */
export async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [opened, named] = await Promise.all([
    file.stat({ bigint: true }),
    stat(path, { bigint: true }).catch(() => null),
  ]);
  return named !== null && isSameFile(opened, named);
}
