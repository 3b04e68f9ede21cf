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
export type LockState = 'taken' | 'held' | 'unsupported';

/** Takes the exclusive lock on an open file, without waiting. The lock ends when the descriptor is closed. */
export function lockDescriptor(descriptor: number): LockState {
  const { status } = finishProgram('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
  if (status === 0) return 'taken';
  return status === 1 ? 'held' : 'unsupported';
}

const HAS_LOCKING_OPEN = process.platform === 'darwin' || process.platform === 'freebsd';

/** Flags of open(2) on macOS and BSD that lock the file which it opens, or fail with EAGAIN; zero elsewhere. */
export const LOCKING_OPEN = HAS_LOCKING_OPEN ? 0x20 | 0x04 : 0;

/** Takes the lock on a file that was opened with {@link LOCKING_OPEN}. */
export const lockOpened = (descriptor: number): LockState => (HAS_LOCKING_OPEN ? 'taken' : lockDescriptor(descriptor));

/**
 * Opens a file for the lock on it, created private if missing; a link is not followed. The file is the one at the path
 * when the lock was taken: whoever deletes it does so under the lock. The caller closes `file`, which ends the lock.
 */
export async function openLocked(
  path: string,
): Promise<{ readonly state: LockState; readonly file: FileHandle } | { readonly state: 'held'; readonly file: null }> {
  for (;;) {
    const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
    const flags = constants.O_RDWR | constants.O_CREAT | noFollow | LOCKING_OPEN;
    let file: FileHandle;
    try {
      file = await open(path, flags, 0o600);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return { state: 'held', file: null };
      throw error;
    }
    const state = lockOpened(file.fd);
    if (state !== 'held' && (await isAt(path, file))) return { state, file };
    await file.close();
    if (state === 'held') return { state, file: null };
  }
}

/** Returns whether the open file is still the one at the path. */
export async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [opened, named] = await Promise.all([
    file.stat({ bigint: true }),
    stat(path, { bigint: true }).catch(() => null),
  ]);
  return named !== null && isSameFile(opened, named);
}
