import { errorCode } from '#app/engine/failure.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { ExitCode } from '../command.ts';
import { CliError } from '../errors.ts';

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
  ['EBADF', ['that descriptor is not open for writing', 'name a file']],
  ['ENXIO', ['it is a socket, or a device without a driver', 'name a file']],
]);

/** Describes a system error for the user. Other errors, and those of a reader that is gone, are returned unchanged. */
export function writeFailure(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === null || code === 'EPIPE') return error;
  const [reason, remedy] = REASONS.get(code) ?? [error instanceof Error ? error.message : code, null];
  return new CliError(
    ExitCode.usage,
    `can't write ${path === STDIO ? 'the standard output' : path}: ${reason}`,
    remedy,
  );
}
