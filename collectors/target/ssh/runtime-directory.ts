import { randomBytes } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ConnectionFailure } from '../connection.ts';
import { createWatchdog } from '../watchdog.ts';

/** Of a socket's path, in bytes: `sun_path` holds 104 on macOS, and ssh first binds a name that is 17 longer. */
const MAX_PATH_BYTES = 86;
/** `/m` of the control socket; forwarded ports have up to six characters. */
const LONGEST_NAME = 7;

/**
 * Where a connection's sockets will be: a new name below XDG_RUNTIME_DIR or the folder for temporary files, /tmp where those are too
 * long. The name stands before the directory does, since it is part of the command that users confirm.
 */
export function newRuntimePath(): string {
  const name = `flamebench-${randomBytes(5).toString('hex')}`;
  const places = [process.env.XDG_RUNTIME_DIR ?? '', tmpdir()].filter(isAbsolute).map((place) => join(place, name));
  return places.find((path) => Buffer.byteLength(path) + LONGEST_NAME <= MAX_PATH_BYTES) ?? join('/tmp', name);
}

// One for all connections; it removes their directories when Flamebench is gone, also by kill -9.
const watchdog = createWatchdog();

/** Rejects where something is there already, or can't be made. */
export async function makePrivateDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    const facts = await lstat(path);
    if ((facts.mode & 0o777) !== 0o700) throw new Error('other users can open it');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConnectionFailure(
      `could not create a private folder for ssh: ${reason}`,
      'Check that TMPDIR is writable',
    );
  }
  if (!/\s/.test(path)) watchdog.watchDirectory(path);
}
