import { posix } from 'node:path';
import type { Brand } from '#core/model/brand.ts';

/**
 * What a target says and what becomes a path, a name, an argument or a size: a target may be hostile, so nothing else
 * may become one. Each function returns null for a word that is not of its kind.
 */

/** Absolute and in normal form: below any folder that it is appended to, unless that contains links. */
export type TargetPath = Brand<string, 'TargetPath'>;
/** Name of an entry of a folder. */
export type TargetName = Brand<string, 'TargetName'>;
/** What `uname -r` prints: `6.1.0-49-amd64`. Also the name of an entry of a folder. */
export type KernelRelease = Brand<string, 'KernelRelease'>;
/** Hexadecimal, in lower case. */
export type BuildId = Brand<string, 'BuildId'>;

/** PATH_MAX and NAME_MAX of Linux, in bytes; the former includes a NUL. */
const MAX_PATH_BYTES = 4095;
const MAX_NAME_BYTES = 255;
/** Bytes of `release` in struct utsname, without its NUL. */
const MAX_RELEASE = 64;
/** PIDs are positive numbers of 32 bits. */
const MAX_PID = 2 ** 31 - 1;

const isShort = (text: string, maxBytes: number): boolean =>
  text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes;

/** Parses a path without `.`, `..`, doubled slashes, a slash at its end, and control characters. */
export function parseTargetPath(text: string | null | undefined): TargetPath | null {
  if (text === null || text === undefined || !/^\/[^\p{Cc}]*$/u.test(text) || !isShort(text, MAX_PATH_BYTES))
    return null;
  return posix.normalize(text) === text && (text === '/' || !text.endsWith('/')) ? (text as TargetPath) : null;
}

/** Brings a path into normal form first: one of the user's own settings there, which may be written in other ways. */
export const normalTargetPath = (text: string | null | undefined): TargetPath | null =>
  parseTargetPath(text && posix.normalize(text).replace(/(?<=.)\/$/, ''));

/** Parses the name of one entry. */
export const parseTargetName = (text: string): TargetName | null =>
  /^[^/\p{Cc}]+$/u.test(text) && text !== '.' && text !== '..' && isShort(text, MAX_NAME_BYTES)
    ? (text as TargetName)
    : null;

export const parseKernelRelease = (text: string): KernelRelease | null =>
  /^[\w.+~-]+$/.test(text) && text !== '.' && text !== '..' && text.length <= MAX_RELEASE
    ? (text as KernelRelease)
    : null;

/** Parses the identity of a build: 20 bytes by default, up to 64 if the linker was told so. */
export const parseBuildId = (text: string | null): BuildId | null =>
  text !== null && /^[0-9a-f]{2,128}$/.test(text) ? (text as BuildId) : null;

/** Parses a decimal number from 0 to `most`. */
export function parseCount(text: string | undefined, most = Number.MAX_SAFE_INTEGER): number | null {
  const count = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return count <= most ? count : null;
}

export const parsePid = (text: string | undefined): number | null => parseCount(text, MAX_PID) || null;

/** Returns where the debug information of a build is installed apart from it. */
export const debugFileOf = (id: BuildId): TargetPath =>
  `/usr/lib/debug/.build-id/${id.slice(0, 2)}/${id.slice(2)}.debug` as TargetPath;
