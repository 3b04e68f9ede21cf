import { closeSync, constants, fstatSync, openSync, realpathSync } from 'node:fs';

/** Kernel interfaces, whose reading may have effects or never end. */
const KERNEL_FOLDER = /^\/(?:proc|sys|dev)(?:\/|$)/;

export interface NamedFile {
  /** The file itself: no part of it is a link. */
  readonly path: string;
  /** To be closed by the caller. */
  readonly descriptor: number;
}

/**
 * Opens a file of this machine that a document names. Links are followed before the checks, never after: a regular file, not of /proc, /sys
 * or /dev. Null where it is none, or can't be read.
 */
export function openNamedFile(name: string): NamedFile | null {
  if (!name.startsWith('/') || name.includes('\0') || KERNEL_FOLDER.test(name)) return null;
  let descriptor: number | null = null;
  try {
    const path = realpathSync(name);
    if (KERNEL_FOLDER.test(path)) return null;
    // A FIFO would wait for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    if (fstatSync(descriptor).isFile()) return { path, descriptor };
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
  if (descriptor !== null) closeSync(descriptor);
  return null;
}

/** The path of a file that {@link openNamedFile} opens; null where it opens none. */
export function findNamedFile(name: string): string | null {
  const found = openNamedFile(name);
  if (found === null) return null;
  closeSync(found.descriptor);
  return found.path;
}
