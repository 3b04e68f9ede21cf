import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { ElfError, ElfFile } from '#core/symbols/elf.ts';
import { binarySymbols } from '#core/symbols/binary-symbols.ts';
import type { SymbolTable } from '#core/symbols/symbols.ts';

/** Code that the kernel maps into every process; it is in no file. */
export const VDSO = '[vdso]';

/** Some kilobytes in fact. */
const MAX_BYTES = 2 ** 20;

interface Vdso {
  readonly buildId: string | null;
  readonly table: SymbolTable | null;
}

/** Reads the vdso of this process, which every process of this kernel has; null if that is impossible. */
export function readOwnVdso(): Vdso | null {
  try {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]$/m.exec(readFileSync('/proc/self/maps', 'latin1')) ?? [];
    const [start, end] = [Number.parseInt(from ?? '', 16), Number.parseInt(to ?? '', 16)];
    if (!(end - start > 0 && end - start <= MAX_BYTES)) return null;
    const image = readMemory(start, end - start);
    const elf = new ElfFile((at, length) => image.subarray(at, at + length));
    return { buildId: elf.buildId, table: binarySymbols(elf, elf) };
  } catch (error) {
    if (error instanceof ElfError || error instanceof RangeError || (error as NodeJS.ErrnoException).code !== undefined)
      return null;
    throw error;
  }
}

function readMemory(start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const descriptor = openSync('/proc/self/mem', 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
  } finally {
    closeSync(descriptor);
  }
}
