import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import type { ByteSource } from '#core/import/importer.ts';
import { EngineFailure, errorCode } from '../failure.ts';
import { noteRead } from './read-files.ts';
import { shownInput, STDIO } from './classify-word.ts';

/**
 * Size of the buffer that is reused for a whole file: large enough to make the number of calls negligible, small enough
 * to stay in the processor's cache (perf script text parses 8 % faster than with 1 MiB).
 */
const CHUNK_BYTES = 1 << 18;
const STDIN = 0;

/** Code of the {@link EngineFailure} for an unreadable input. */
export const UNREADABLE_INPUT = 'unreadable-input';

/**
 * Returns the bytes of a file, a FIFO, or the standard input (`-`). Throws an {@link EngineFailure} immediately if
 * there is nothing to read, and while reading if that fails. Regular files are read synchronously, since reading and
 * parsing alternate anyway.
 */
export function fileSource(path: string): ByteSource {
  if (path === STDIO) return stdinSource();
  const stats = attempt(path, () => statSync(path));
  refuseDirectory(path, stats);
  return {
    fileName: basename(path),
    size: stats.isFile() ? stats.size : null,
    chunks: () => (stats.isFile() ? readFileRange(path, 0, Infinity) : readStream(path)),
  };
}

function stdinSource(): ByteSource {
  if (process.stdin.isTTY) {
    throw new EngineFailure(
      UNREADABLE_INPUT,
      '- reads the standard input, which is a terminal',
      'pipe a profile into it',
    );
  }
  const stats = attempt(STDIO, () => fstatSync(STDIN));
  refuseDirectory(STDIO, stats);
  return {
    fileName: 'stdin',
    size: stats.isFile() ? stats.size : null,
    chunks: () => (stats.isFile() ? readDescriptor(STDIO, STDIN) : readStdinStream()),
  };
}

/** Yields the bytes of a regular file from `start` to `end` (exclusive), or to its end if that is earlier. */
export async function* readFileRange(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const descriptor = attempt(path, () => openSync(path, 'r'));
  try {
    yield* readDescriptor(path, descriptor, start, end);
  } finally {
    closeSync(descriptor);
  }
}

// Asynchronous, so that all sources have one interface.
async function* readDescriptor(
  path: string,
  descriptor: number,
  start = 0,
  end = Infinity,
): AsyncGenerator<Uint8Array> {
  noteRead(fstatSync(descriptor, { bigint: true }));
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - start));
  for (let left = end - start; left > 0;) {
    // Reads without a position if possible, so that the standard input continues where it is.
    const position = start === 0 ? null : end - left;
    const length = attempt(path, () => readSync(descriptor, buffer, 0, Math.min(buffer.length, left), position));
    if (length === 0) return;
    left -= length;
    yield buffer.subarray(0, length);
  }
}

async function* readStream(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* readStdinStream(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(STDIO, error);
  }
}

function refuseDirectory(path: string, stats: Stats): void {
  if (stats.isDirectory()) {
    throw new EngineFailure(UNREADABLE_INPUT, `${shownInput(path)} is a folder`, 'name a file inside it');
  }
}

/** Converts system errors to an {@link EngineFailure}. */
export function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unreadable(path, error);
  }
}

const REASONS: ReadonlyMap<string, readonly [reason: string, remedy: string]> = new Map([
  ['ENOENT', ['no such file', 'check the name']],
  ['EISDIR', ['it is a folder', 'name a file inside it']],
  ['ENOTDIR', ['part of the path is not a folder', 'check the name']],
  ['ENAMETOOLONG', ['the name is too long', 'check the name']],
  ['ELOOP', ['its symbolic links form a loop', 'name the file itself']],
  ['EACCES', ['no permission to read it', 'make it readable for this user, or run as a user who may read it']],
  ['EPERM', ['no permission to read it', 'make it readable for this user, or run as a user who may read it']],
  ['EMFILE', ['too many open files', 'raise ulimit -n']],
  ['EIO', ['the disk failed to read it', 'check the disk, or copy the file elsewhere']],
  ['ENXIO', ['it is a socket, or a device without a driver', 'name a file']],
]);

function unreadable(path: string, error: unknown): Error {
  const code = errorCode(error);
  if (code === null) return error instanceof Error ? error : new Error(String(error));
  const [reason, remedy] = REASONS.get(code) ?? [error instanceof Error ? error.message : code, null];
  return new EngineFailure(UNREADABLE_INPUT, `can't read ${shownInput(path)}: ${reason}`, remedy, { cause: error });
}
