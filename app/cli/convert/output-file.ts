import { closeSync, fchmodSync, lstatSync, openSync, realpathSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { gzipSync } from 'node:zlib';
import { CliError, usageError } from '../errors.ts';
import { ExitCode } from '../command.ts';
import { outputBytes } from '../output/terminal.ts';
import { writeAll } from '../output/write-all.ts';

/** The destination of a command's output. */
export interface OutputFile {
  /** Writes a chunk synchronously and completely. */
  write(chunk: Uint8Array): void;
  /** Completes the output; a file gets its final name. */
  commit(): void;
  /** Discards the output without leaving anything behind. */
  discard(): void;
}

/**
 * Opens an output; `-` is stdout. A regular file is first written under a temporary name next to it, so that it is
 * never seen incomplete.
 */
export function openOutput(path: string): OutputFile {
  if (path === '-') return standardOutput();
  const existing = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (existing?.isDirectory()) throw usageError(`${path} is a folder`, 'name a file to write');
  if (existing !== undefined && !existing.isFile()) return directOutput(path);
  // A symbolic link is kept and its target replaced.
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && existing !== undefined;
  return replacingOutput(path, isLink ? realpathSync(path) : path, existing?.mode);
}

/** Compresses an output with gzip when it is complete, because some readers know only files of one member. */
export function gzippedOutput(output: OutputFile): OutputFile {
  const chunks: Uint8Array[] = [];
  return {
    write: (chunk) => {
      chunks.push(chunk.slice());
    },
    commit() {
      output.write(gzipSync(Buffer.concat(chunks)));
      output.commit();
    },
    discard: () => output.discard(),
  };
}

function standardOutput(): OutputFile {
  const bytes = outputBytes();
  return {
    write: (chunk) => attempt('-', () => bytes.write(chunk)),
    commit: () => attempt('-', () => bytes.end()),
    discard: () => undefined,
  };
}

/** Writes to a device, which may be a terminal, or to a FIFO. */
function directOutput(path: string): OutputFile {
  const descriptor = attempt(path, () => openSync(path, 'w'));
  const close = closeOnce(descriptor);
  const bytes = outputBytes(isatty(descriptor), (chunk) => writeAll(descriptor, chunk));
  return {
    write: (chunk) => attempt(path, () => bytes.write(chunk)),
    commit() {
      attempt(path, () => {
        bytes.end();
        close();
      });
    },
    discard: close,
  };
}

function replacingOutput(shown: string, path: string, mode: number | undefined): OutputFile {
  const temporary = join(dirname(path), `.flamebench-${process.pid}.part`);
  const descriptor = attempt(shown, () => openSync(temporary, 'wx', 0o600));
  const close = closeOnce(descriptor);
  return {
    write: (chunk) => attempt(shown, () => writeAll(descriptor, chunk)),
    commit() {
      attempt(shown, () => {
        // The file is private until it has its final name; then it gets the permissions of the file that it replaces,
        // or of any new one.
        fchmodSync(descriptor, mode === undefined ? 0o666 & ~process.umask() : mode & 0o777);
        close();
        renameSync(temporary, path);
      });
    },
    discard() {
      close();
      unlinkSync(temporary);
    },
  };
}

/** Returns a function that closes a descriptor once; one whose closing failed counts as closed. */
function closeOnce(descriptor: number): () => void {
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(descriptor);
  };
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error ? String(error.code) : null;

const REASONS: ReadonlyMap<string, readonly [reason: string, remedy: string]> = new Map([
  ['ENOSPC', ['the disk is full', 'free some space or choose another disk']],
  ['EDQUOT', ['your disk quota is used up', 'free some space or choose another disk']],
  ['EFBIG', ['the file would exceed the file size limit', 'raise ulimit -f or choose another disk']],
  ['ENOENT', ['its folder does not exist', 'create the folder first']],
  ['ENOTDIR', ['part of the path is not a folder', 'check the name']],
  ['EACCES', ['no permission to write there', 'choose a folder you can write to']],
  ['EPERM', ['no permission to write there', 'choose a folder you can write to']],
  ['EROFS', ['the disk is read-only', 'choose another disk']],
  ['ENAMETOOLONG', ['the name is too long', 'use a shorter one']],
]);

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** Describes a system error for the user. Other errors, and those of a reader that is gone, are returned unchanged. */
export function writeFailure(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === null || code === 'EPIPE') return error;
  const [reason, remedy] = REASONS.get(code) ?? [error instanceof Error ? error.message : code, null];
  return new CliError(ExitCode.usage, `can't write ${path === '-' ? 'the standard output' : path}: ${reason}`, remedy);
}
