import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, statfsSync } from 'node:fs';

/** Kernel interfaces, which may have side effects or never end when read. */
const KERNEL_FOLDER = /^\/(?:proc|sys|dev)(?:\/|$)/;
/**
 * The same by file system type, wherever it is mounted: proc, sysfs, debugfs, tracefs, cgroup, cgroup2 (linux/magic.h).
 */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x27e0eb, 0x63677270,
]);

/** Flags that neither wait for the writer of a FIFO nor follow a link in the last path component. */
export const OPEN_NAMED = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

interface NamedFile {
  /** The file itself: no component of the path is a link. */
  readonly path: string;
  /** The caller must close it. */
  readonly descriptor: number;
}

export const isKernelPath = (path: string): boolean => KERNEL_FOLDER.test(path);

/**
 * Returns the path of an open regular file, or null if it is not regular or belongs to the kernel. The descriptor
 * decides, so replacing a folder after its links were followed has no effect. `path` is the path that was opened; it is
 * returned if the system can't tell more.
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
 * Opens a file of this machine that a document names: a regular file outside /proc, /sys and /dev, regardless of links.
 * Null if it is not such a file, or can't be read.
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

/** Returns the path of the file that {@link openNamedFile} would open; null if it would open none. */
export function findNamedFile(name: string): string | null {
  const found = openNamedFile(name);
  if (found === null) return null;
  closeSync(found.descriptor);
  return found.path;
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
