import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type BigIntStats } from 'node:fs';
import { ElfError, ElfFile } from '#core/import/elf.ts';

export interface OpenedElf {
  readonly elf: ElfFile;
  readonly stats: BigIntStats;
}

/** Reading files there may have effects, or never end. */
const SPECIAL_FOLDERS = /^\/(?:proc|sys|dev)\//;

/**
 * Opens a file that a recording names, runs `read`, and closes it. null where it is no ELF file that can be read. What is read of it are
 * names of code; it is not shown otherwise.
 */
export function withElfFile<T>(path: string, read: (opened: OpenedElf) => T): T | null {
  let descriptor: number | null = null;
  try {
    if (!path.startsWith('/') || path.includes('\0') || SPECIAL_FOLDERS.test(realpathSync(path))) return null;
    // A FIFO would wait for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return null;
    const elf = new ElfFile(readRange(descriptor, Number(stats.size)));
    return read({ elf, stats });
  } catch (error) {
    if (error instanceof ElfError || error instanceof RangeError || isSystemError(error)) return null;
    throw error;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function readRange(descriptor: number, size: number): (start: number, length: number) => Uint8Array {
  return (start, length) => {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - start)));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
