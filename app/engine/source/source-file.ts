import { open, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { SourceText } from '#core/contract/source.ts';
import { checkOpened, isKernelPath, OPEN_NAMED } from '#collectors/target/named-file.ts';
import { EngineFailure, errorCode } from '../failure.ts';

/** A source file as a profile names it; untrusted text. */
export interface NamedSource {
  readonly file: string;
  /** Unix epoch milliseconds; null if unknown. */
  readonly profiledAt: number | null;
  /** Host on which the profile was made; null if unknown. */
  readonly host: string | null;
  /** Absolute folder for relative names; null if they cannot be resolved. */
  readonly folder: string | null;
  /** Rejects if the file may not be read; receives its path with links followed. */
  readonly permit?: (path: string) => Promise<void>;
}

/** Maximum size in bytes; larger files are generated or not source code. */
const MAX_BYTES = 4 * 1024 * 1024;
/** PATH_MAX on Linux. */
const MAX_PATH = 4096;

/**
 * Names of source files. A profile may name any file; these extensions exclude those that by convention contain keys or
 * passwords (/etc/shadow, id_rsa, .env). See docs/adr/0007-source-text-by-consent.md.
 */
const SOURCE_NAME =
  /\.(?:c|h|cc|cp|cpp|cxx|c\+\+|hh|hpp|hxx|h\+\+|inc|inl|ipp|tcc|m|mm|s|asm|cu|cuh|go|rs|zig|d|nim|v|odin|swift|java|kt|kts|scala|sc|clj|cljc|groovy|cs|fs|vb|py|pyx|pxd|rb|php|pl|pm|lua|luau|js|mjs|cjs|jsx|ts|mts|cts|tsx|vue|svelte|ex|exs|erl|hrl|ml|mli|hs|lhs|f|for|f77|f90|f95|f03|f08|ada|adb|ads|pas|cr|jl|r|dart|sql|sh|bash|tcl|y|l|yy|ll|re|rl|proto|stp)$/i;

/**
 * Reads a file that a profile names. Call it only for profiles whose source the user has allowed to be shown. Rejects
 * with an `EngineFailure`.
 */
export async function readSourceFile({ file, profiledAt, host, folder, permit }: NamedSource): Promise<SourceText> {
  const { path, size, modifiedAt, bytes } = await readRegularFile(file, folder, permit);
  if (bytes.includes(0)) throw refused(`${path} is not a text file.`);
  if (bytes.length > MAX_BYTES) {
    throw new EngineFailure(
      'source-too-large',
      `${path} is larger than 4 MiB (${size} bytes).`,
      'Open it in an editor.',
    );
  }
  const lines = decode(bytes).split(/\r\n|\n|\r/);
  return { file, lines, modifiedAt, warnings: warningsOf(path, modifiedAt, profiledAt, host) };
}

/** Returns the path of a named source file, with links followed; rejects with an `EngineFailure`. */
export async function sourcePath(file: string, folder: string | null): Promise<string> {
  const real = await realpath(resolveName(file, folder)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (isKernelPath(real) || !SOURCE_NAME.test(real)) throw notSource(file, real);
  return real;
}

function resolveName(file: string, folder: string | null): string {
  if (file === '') {
    throw new EngineFailure(
      'source-unknown',
      'The profile names no source file for this function.',
      'Build with debug information (-g), or record with source lines: perf script -F +srcline.',
    );
  }
  if (file.length > MAX_PATH || /\p{Cc}/u.test(file)) throw refused('The file name is not a path.');
  if (!SOURCE_NAME.test(file)) throw refused(`${file} does not have a source file’s name.`);
  if (isAbsolute(file)) return file;
  if (folder !== null) return join(folder, file);
  throw new EngineFailure(
    'source-relative',
    `The profile names ${file} without its folder.`,
    'Name the folder on the command line (flamebench annotate --source-dir), or record with absolute names (perf script --full-source-path).',
  );
}

interface OpenedSource {
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** At most one byte more than the limit. */
  readonly bytes: Buffer;
}

/** Opens the file once and both checks and reads it through the descriptor. */
async function readRegularFile(
  file: string,
  folder: string | null,
  permit: NamedSource['permit'],
): Promise<OpenedSource> {
  const unread = (error: unknown): never => {
    throw unreadable(file, error);
  };
  const real = await sourcePath(file, folder);
  await permit?.(real);
  const handle = await open(real, OPEN_NAMED).catch(unread);
  try {
    const path = checkOpened(handle.fd, real);
    if (path === null) throw refused(`${file} is not a regular file.`);
    if (!SOURCE_NAME.test(path)) throw notSource(file, path);
    if (path !== real) await permit?.(path);
    const { size, mtimeMs } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES) + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { path, size, modifiedAt: mtimeMs, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await handle.close();
  }
}

const notSource = (file: string, path: string): EngineFailure =>
  refused(`${file} links to ${path}, which is not source code.`);

const refused = (message: string): EngineFailure =>
  new EngineFailure(
    'source-refused',
    message,
    'Only source files are shown; open it yourself if you trust the profile.',
  );

function unreadable(file: string, error: unknown): EngineFailure {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new EngineFailure(
      'source-missing',
      `${file} is not on this machine.`,
      'Check out the profiled version in the same place.',
    );
  }
  const reason = code === 'EACCES' || code === 'EPERM' ? 'this user may not read it' : (code ?? String(error));
  return new EngineFailure('source-unreadable', `${file} can’t be read: ${reason}.`, 'Check its permissions.');
}

/** Decodes UTF-8, else Latin-1, in which any bytes are valid. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

function warningsOf(path: string, modifiedAt: number, profiledAt: number | null, host: string | null): string[] {
  const warnings: string[] = [];
  if (host !== null && host !== hostname()) {
    warnings.push(`The profile was made on ${host}; this file is from this machine.`);
  }
  if (profiledAt === null) {
    warnings.push('The profile doesn’t say when it was made: this may be another version of the file.');
  } else if (modifiedAt > profiledAt) {
    warnings.push(`${path} was changed after the profile was made: lines may have moved.`);
  }
  return warnings;
}
