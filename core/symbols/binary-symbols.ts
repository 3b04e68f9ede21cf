import type { ElfFile } from './elf.ts';
import { elfSymbolTable, hasFullSymbols } from './elf-symbols.ts';
import { goSymbolTable } from './go-pclntab.ts';
import type { SymbolTable } from './symbols.ts';

/**
 * Returns a binary's own symbols: names, and for Go code also lines and inlined calls. `symbols` is the file that has
 * the symbol table, which may contain only what was stripped from `binary`. Null if there are none.
 */
export function binarySymbols(binary: ElfFile, symbols: ElfFile): SymbolTable | null {
  // No part of it is ever loaded.
  if (binary.segments.length === 0) return null;
  const listed = elfSymbolTable(binary, symbols);
  const go = goSymbolTable(binary);
  if (go === null || listed === null) return go ?? listed;
  // Without the full table, exported symbols would extend over everything between them.
  const [first, second] = hasFullSymbols(symbols) ? [listed, go] : [go, listed];
  return {
    nameAt: (address) => first.nameAt(address) ?? second.nameAt(address),
    startAt: (address) => listed.startAt?.(address) ?? null,
    framesAt: (address) => go.framesAt!(address),
  };
}
