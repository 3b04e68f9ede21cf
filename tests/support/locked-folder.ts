import { spawnSync } from 'node:child_process';
import { closeSync, constants, lstatSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File in each folder, which the process that made the folder keeps locked until it ends. */
const LOCK = 'flamebench-test-lock';

/** A folder in the temp folder, which a later run removes if this process is killed. */
export interface LockedFolder {
  readonly path: string;
  readonly remove: () => void;
}

/**
 * Makes a folder named `prefix` and 6 random characters, and removes those that killed runs left. The kernel holds the
 * lock and releases it with its process, so it is valid in each PID namespace. A folder of another user, without a lock
 * file or with links in place of either, is not a killed run's, and stays.
 */
export function makeLockedFolder(prefix: string): LockedFolder {
  const named = (name: string): boolean => name.startsWith(prefix) && /^\w{6}$/.test(name.slice(prefix.length));
  for (const name of readdirSync(tmpdir()).filter(named)) removeIfDead(join(tmpdir(), name));
  const path = mkdtempSync(join(tmpdir(), prefix));
  const { O_CREAT, O_EXCL, O_RDWR } = constants;
  const fd = openSync(join(path, `${LOCK}.new`), O_CREAT | O_EXCL | O_RDWR, 0o600);
  let isHeld = true;
  if (!lock(fd)) throw new Error(`${path} cannot be locked: flock failed. Install util-linux, or set TMPDIR`);
  // Locked before it has its name, so that no other run finds it unlocked.
  renameSync(join(path, `${LOCK}.new`), join(path, LOCK));
  return {
    path,
    remove() {
      if (!isHeld) return;
      isHeld = false;
      rmSync(path, { recursive: true, force: true });
      closeSync(fd);
    },
  };
}

function removeIfDead(folder: string): void {
  let fd: number | null = null;
  try {
    const stat = lstatSync(folder);
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return;
    fd = openSync(join(folder, LOCK), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (lock(fd)) rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // ENOENT: it has no lock, or its owner has removed it meanwhile. ELOOP: the lock is a link.
    if (!['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** Locks an open file for as long as this process has it open; false if another process has locked it. */
const lock = (fd: number): boolean =>
  spawnSync('flock', ['--nonblock', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] }).status === 0;
