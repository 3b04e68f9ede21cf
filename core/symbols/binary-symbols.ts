import type { ElfFile } from './elf.ts';
import { elfSymbolTable, hasFullSymbols } from './elf-symbols.ts';
import { goSymbolTable } from './go-pclntab.ts';
import type { SymbolTable } from './symbols.ts';

/**
 * What a binary knows of its code: names of its symbol table, and of Go code lines and inlined calls. `symbols`: the file that has the
 * symbol table, which may hold only what was stripped from `binary`. Null where it knows nothing.
 */
export function binarySymbols(binary: ElfFile, symbols: ElfFile): SymbolTable | null {
  // Nothing of it is ever in memory.
  if (binary.segments.length === 0) return null;
  const listed = elfSymbolTable(binary, symbols);
  const go = goSymbolTable(binary);
  if (go === null || listed === null) return go ?? listed;
  // Without the full table, what is exported would reach over all that lies between.
  const [first, second] = hasFullSymbols(symbols) ? [listed, go] : [go, listed];
  return {
    nameAt: (address) => first.nameAt(address) ?? second.nameAt(address),
    framesAt: (address) => go.framesAt!(address),
  };
}
