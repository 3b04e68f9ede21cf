import { SymbolList, type ListedSymbol } from './symbol-list.ts';
import type { SymbolTable } from './symbols.ts';

/**
 * Start, size (both hexadecimal), and name, which may contain spaces. Source:
 * tools/perf/Documentation/jit-interface.txt in the kernel.
 */
const LINE = /^(?:0x)?([0-9a-f]{1,16}) (?:0x)?([0-9a-f]{1,16}) (.+)$/i;

/**
 * Parses the names of compiled code that a runtime lists in /tmp/perf-PID.map. If code replaced other code, the later
 * line counts.
 */
export function perfMapTable(text: string): SymbolTable {
  const byStart = new Map<number, ListedSymbol>();
  for (const line of text.split('\n')) {
    const [, start, size, name] = LINE.exec(line.trimEnd()) ?? [];
    if (name === undefined) continue;
    const address = Number.parseInt(start!, 16);
    const length = Number.parseInt(size!, 16);
    if (length > 0) byStart.set(address, { start: address, size: length, name, isGlobal: true, isWeak: false });
  }
  return new SymbolList([...byStart.values()], (address) => Number(address));
}
