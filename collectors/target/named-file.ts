import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, statfsSync } from 'node:fs';

/** Kernel interfaces, whose reading may have effects or never end. */
const KERNEL_FOLDER = /^\/(?:proc|sys|dev)(?:\/|$)/;
/** The same by the type of their file system, wherever it is mounted: proc, sysfs, debugfs, tracefs, cgroup, cgroup2 (linux/magic.h). */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x27e0eb, 0x63677270,
]);

/** Flags that neither wait for the writer of a FIFO nor follow a link in the last part. */
export const OPEN_NAMED = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

export interface NamedFile {
  /** The file itself: no part of it is a link. */
  readonly path: string;
  /** To be closed by the caller. */
  readonly descriptor: number;
}

export const isKernelPath = (path: string): boolean => KERNEL_FOLDER.test(path);

/**
 * Returns the path of an open regular file, or null where it is not regular or belongs to the kernel. The descriptor decides: a folder that was replaced after
 * its links were followed changes nothing. `path` is what was opened; it is returned where the system can't tell more.
 */
export function checkOpened(descriptor: number, path: string): string | null {
  if (!fstatSync(descriptor).isFile()) return null;
  const link = `/proc/self/fd/${descriptor}`;
  try {
    const opened = readlinkSync(link);
    return isKernelPath(opened) || KERNEL_FILE_SYSTEMS.has(statfsSync(link).type) ? null : opened;
  } catch (error) {
    if (isSystemError(error)) return path;
    throw error;
  }
}

/**
 * Opens a file of this machine that a document names: a regular file, not of /proc, /sys or /dev, whatever links lead to it. Null where it
 * is none, or can't be read.
 */
export function openNamedFile(name: string): NamedFile | null {
  if (!name.startsWith('/') || name.includes('\0') || isKernelPath(name)) return null;
  let descriptor: number | null = null;
  try {
    const real = realpathSync(name);
    if (isKernelPath(real)) return null;
    descriptor = openSync(real, OPEN_NAMED);
    const path = checkOpened(descriptor, real);
    if (path !== null) return { path, descriptor };
  } catch (error) {
    if (!isSystemError(error)) throw error;
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

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
