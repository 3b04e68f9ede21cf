import { closeSync, fstatSync, readSync, type BigIntStats } from 'node:fs';
import { hostname } from 'node:os';
import { ElfError, ElfFile } from '#core/symbols/elf.ts';
import type { SymbolRequest } from '#core/symbols/symbols.ts';
import { openNamedFile } from './named-file.ts';

export interface OpenedElf {
  readonly elf: ElfFile;
  readonly stats: BigIntStats;
}

/**
 * Opens a file that a recording names, runs `read`, and closes it. Returns null if it is not a readable ELF file. Only
 * names of code are taken from it.
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

/**
 * Returns whether a file of this machine is the recorded one: by build id or, if none was recorded, by device and
 * inode, unless it changed after `recordedBefore` (Unix milliseconds).
 */
export function isSameFile(
  { elf, stats }: OpenedElf,
  { buildId, file, hostName }: SymbolRequest,
  recordedBefore: number,
): boolean {
  if (buildId !== null) return elf.buildId === buildId;
  if (file === null || (hostName !== null && hostName !== hostname())) return false;
  const { dev, ino, mtimeMs } = stats;
  const isSameDevice = (file.major === 0 && file.minor === 0) || dev === deviceNumber(file.major, file.minor);
  return ino === file.inode && isSameDevice && Number(mtimeMs) <= recordedBefore;
}

/** Returns the device number like glibc's makedev(). */
function deviceNumber(major: number, minor: number): bigint {
  const [high, low] = [BigInt(major), BigInt(minor)];
  return ((high & 0xfffff000n) << 32n) | ((high & 0xfffn) << 8n) | ((low & 0xffffff00n) << 12n) | (low & 0xffn);
}
