import { closeSync, constants, fchmodSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Zero on Windows, which has no such flags. */
const FLAGS = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Overwrites a small file of this user, or creates it, for code that can't wait; private from then on. A link is not
 * followed. After a crash, the file may be cut off.
 */
export function overwriteSync(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | FLAGS, 0o600);
  try {
    fchmodSync(file, 0o600);
    ftruncateSync(file);
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
