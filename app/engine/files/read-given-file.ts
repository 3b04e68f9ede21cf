import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { EngineFailure } from '../failure.ts';
import { attempt, UNREADABLE_INPUT } from './file-source.ts';
import { noteRead } from './read-files.ts';

const CHUNK_BYTES = 2 ** 16;

/** Who may have the right to read a file: `owner` only, as for a password. */
export type Readers = 'any' | 'owner';

/** Throws an {@link EngineFailure} if users other than the owner have any right to a file. */
export function requireOwnerOnly(path: string, mode: number): void {
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new EngineFailure('usage', `other users can read ${path}`, `chmod 600 ${path}`);
  }
}

/**
 * Reads a file that the user named, as a whole: a regular file or a pipe (`/dev/stdin`, `<(command)`), which is read to
 * its end. Throws an {@link EngineFailure} for devices, sockets and folders, beyond `maxBytes`, if others
 * than `readers` could read it, and if reading fails.
 */
export function readGivenFile(path: string, maxBytes: number, readers: Readers = 'any'): Buffer {
  const stats = attempt(path, () => statSync(path, { bigint: true }));
  if (!stats.isFile() && !stats.isFIFO()) {
    const [what, remedy] = stats.isDirectory()
      ? ['it is a folder', 'name a file inside it']
      : ['it is not a file', 'name a file'];
    throw new EngineFailure(UNREADABLE_INPUT, `can't read ${path}: ${what}`, remedy);
  }
  if (readers === 'owner') requireOwnerOnly(path, Number(stats.mode));
  noteRead(stats);
  const file = attempt(path, () => openSync(path, 'r'));
  try {
    const chunks: Buffer[] = [];
    for (let left = maxBytes; ;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = attempt(path, () => readSync(file, chunk));
      if (length === 0) return Buffer.concat(chunks);
      left -= length;
      if (left < 0) {
        throw new EngineFailure(
          UNREADABLE_INPUT,
          `${path} is larger than ${shownBytes(maxBytes)}`,
          'name another file',
        );
      }
      chunks.push(chunk.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

const shownBytes = (bytes: number): string =>
  bytes < 2 ** 20 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 2 ** 20).toFixed(0)} MiB`;
