import { closeSync, fstatSync, readSync, type BigIntStats } from 'node:fs';
import { ElfError, ElfFile } from '#core/symbols/elf.ts';
import { openNamedFile } from '#collectors/target/named-file.ts';

export interface OpenedElf {
  readonly elf: ElfFile;
  readonly stats: BigIntStats;
}

/**
 * Opens a file that a recording names, runs `read`, and closes it. null where it is no ELF file that can be read. What is read of it are
 * names of code; it is not shown otherwise.
 */
export function withElfFile<T>(path: string, read: (opened: OpenedElf) => T): T | null {
  const found = openNamedFile(path);
  if (found === null) return null;
  const { descriptor } = found;
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const elf = new ElfFile(readRange(descriptor, Number(stats.size)));
    return read({ elf, stats });
  } catch (error) {
    if (error instanceof ElfError || error instanceof RangeError || isSystemError(error)) return null;
    throw error;
  } finally {
    closeSync(descriptor);
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
