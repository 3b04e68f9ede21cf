import {
  accessSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
  type BigIntStats,
} from 'node:fs';
import { dirname } from 'node:path';
import { isatty } from 'node:tty';
import { gzipSync } from 'node:zlib';
import { Option } from 'commander';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { wasRead } from '#app/engine/files/read-files.ts';
import { closeOnce, createPart } from '#collectors/effects/part-file.ts';
import { isSameFile } from '#collectors/effects/remove.ts';
import { usageError } from '../errors.ts';
import { outputBytes } from './terminal.ts';
import { writeAll } from './write-all.ts';
import { writeFailure } from './write-failure.ts';

/** Returns `--output`, by which every command names its file; `-` is stdout. */
export function outputOption(description: string, byDefault?: string): Option {
  const option = new Option('-o, --output <out>', description).argParser((path) => (STDOUT.test(path) ? STDIO : path));
  return byDefault === undefined ? option : option.default(byDefault);
}

const STDOUT = /^\/dev\/(stdout|fd\/1)$|^\/proc\/self\/fd\/1$/;

/** Belongs to {@link outputOption}. */
export const FORCE_OPTION = [
  '--force',
  'also write to a file that is read-only or has several hard links, and to a device',
] as const;

export interface OutputOptions {
  /** Whether it writes to what is refused otherwise; never to an input. */
  readonly force?: boolean | undefined;
  /** The only input that it may replace. */
  readonly inPlaceOf?: string;
  /** Whether to compress it with gzip. */
  readonly compressed?: boolean;
  /** The output that the user did name, if this one goes with it: without `force`, no file is replaced then. */
  readonly besides?: string;
}

/** The destination of a command's output. */
export interface OutputFile {
  /** False for stdout, devices and FIFOs. */
  readonly isFile: boolean;
  /** Writes a chunk synchronously and completely. */
  write(chunk: Uint8Array): void;
  /** Completes the output; a file gets its final name. */
  commit(): void;
  /** Discards the output without leaving anything behind. */
  discard(): void;
}

/** Writes an output as a whole; after a failure, nothing is left of it. */
export async function writeOutput(
  path: string,
  options: OutputOptions,
  write: (output: OutputFile) => void | Promise<void>,
): Promise<void> {
  const opened = openOutput(path, options);
  const output = options.compressed === true ? gzippedOutput(opened) : opened;
  try {
    await write(output);
    output.commit();
  } catch (error) {
    output.discard();
    throw error;
  }
}

/** {@link writeOutput} of a text or bytes that are ready. */
export function saveOutput(path: string, options: OutputOptions, content: string | Uint8Array): void {
  const output = openOutput(path, options);
  try {
    output.write(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    output.commit();
  } catch (error) {
    output.discard();
    throw error;
  }
}

/**
 * Opens an output; `-` is stdout. A regular file is first written under a temporary name next to it, so that it is
 * never seen incomplete; it keeps its owner, permissions and links. Refuses inputs of the command, and without `force`
 * what the user hardly means.
 */
export function openOutput(path: string, options: OutputOptions = {}): OutputFile {
  const descriptor = descriptorOf(path);
  if (descriptor !== null) return openedOutput(path, descriptor, options);
  const existing = checkedTarget(path, options);
  return existing !== null && !existing.isFile() ? deviceOutput(path) : replacingOutput(path, options);
}

/** Compresses an output when it is complete, because some readers know only files of one member. */
function gzippedOutput(output: OutputFile): OutputFile {
  const chunks: Uint8Array[] = [];
  return {
    ...output,
    write: (chunk) => chunks.push(chunk.slice()),
    commit() {
      output.write(gzipSync(Buffer.concat(chunks)));
      output.commit();
    },
  };
}

/** Returns the open descriptor that a path stands for, which can't always be opened again. */
function descriptorOf(path: string): number | null {
  if (path === STDIO) return 1;
  if (path === '/dev/stderr') return 2;
  const [, digits] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(path) ?? [];
  return digits === undefined ? null : Number(digits);
}

function openedOutput(path: string, descriptor: number, options: OutputOptions): OutputFile {
  refuseInput(
    path,
    attempt(path, () => fstatSync(descriptor, { bigint: true })),
    options,
  );
  return directOutput(path, descriptor, () => undefined);
}

/** Opens a FIFO or a device, which may be a terminal. */
function deviceOutput(path: string): OutputFile {
  const descriptor = attempt(path, () => openSync(path, constants.O_WRONLY | constants.O_NOCTTY));
  return directOutput(path, descriptor, closeOnce(descriptor));
}

function directOutput(path: string, descriptor: number, close: () => void): OutputFile {
  const bytes = outputBytes(isatty(descriptor), (chunk) => writeAll(descriptor, chunk));
  return {
    isFile: false,
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

function replacingOutput(path: string, options: OutputOptions): OutputFile {
  // A symbolic link stays, and the file behind it is replaced.
  const real = attempt(path, () =>
    statSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path),
  );
  const part = attempt(path, () => createPart(dirname(real)));
  return {
    isFile: true,
    write: (chunk) => attempt(path, () => part.write(chunk)),
    commit() {
      const existing = checkedTarget(path, options);
      attempt(path, () => part.becomes(real, existing));
    },
    discard: () => part.discard(),
  };
}

/** Returns what is at the path now, null if nothing; throws a usage error if it must not become the output. */
function checkedTarget(path: string, options: OutputOptions): BigIntStats | null {
  const { force = false, besides } = options;
  const refuse = (reason: string, remedy: string): never => {
    throw usageError(`can't write ${path}: ${reason}`, remedy);
  };
  const named = attempt(path, () => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  if (named === undefined) return null;
  const existing = attempt(path, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  if (existing?.isDirectory() === true) throw usageError(`${path} is a folder`, 'name a file to write');
  if (existing !== undefined) refuseInput(path, existing, options);
  if (force) return existing ?? null;
  if (besides !== undefined) refuse(`it exists, and goes with ${besides}`, 'add --force to replace it, or rename one');
  if (existing === undefined)
    return refuse('it is a link to a missing file', 'name that file, or add --force to replace the link');
  if (existing.isFile()) {
    if (existing.nlink > 1n)
      refuse(`the file has ${existing.nlink} hard links`, 'add --force to change it under all its names');
    if ((existing.mode & 0o200n) === 0n || !isWritable(path))
      refuse('the file is read-only', 'add --force to replace it');
  } else if (!existing.isFIFO() && !HARMLESS_DEVICE.test(attempt(path, () => realpathSync(path)))) {
    refuse('it is a device', 'add --force to overwrite what is on it');
  }
  return existing;
}

const HARMLESS_DEVICE = /^\/dev\/(null|zero|full|console|tty\w*|pts\/\d+)$/;

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function refuseInput(path: string, file: BigIntStats, { inPlaceOf }: OutputOptions): void {
  if (!(file.isFile() || file.isBlockDevice()) || !wasRead(file)) return;
  const replaced = inPlaceOf === undefined ? undefined : statSync(inPlaceOf, { bigint: true, throwIfNoEntry: false });
  if (replaced !== undefined && isSameFile(replaced, file)) return;
  throw usageError(
    `${path === STDIO ? 'the standard output' : path} is an input of this command`,
    'name another file to write',
  );
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw writeFailure(path, error);
  }
}
