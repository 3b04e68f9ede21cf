import { SymbolList, type ListedSymbol } from './symbol-list.ts';
import type { SymbolTable } from './symbols.ts';

const TWO_32 = 2 ** 32;

/** One line: `ffffffff81000000 T _text` or `ffffffffc0000000 t init_module [module]`. */
const LINE = /^([0-9a-f]{8,16}) ([a-zA-Z]) (\S+)(?:\t\[(\S+)\])?$/;

/**
 * The kernel's symbols, as /proc/kallsyms lists them. `shift`: how much farther up the kernel was loaded when it was recorded. Where the
 * file hides addresses (all are 0), no symbol is found.
 */
export function kallsymsTable(bytes: Uint8Array, shift: number, module: string | null = null): SymbolTable {
  const symbols: ListedSymbol[] = [];
  forEachSymbol(bytes, (address, type, name, of) => {
    if (address === 0 || !/[tTwW]/.test(type) || (of ?? null) !== module) return;
    symbols.push({ start: address, size: 0, name, isGlobal: type === 'T', isWeak: /[wW]/.test(type) });
  });
  return new SymbolList(symbols, (address) => signed(address) - shift);
}

/** Where a symbol is; null where it isn't listed, or its address is hidden. */
export function addressInKallsyms(bytes: Uint8Array, symbol: string): number | null {
  let found: number | null = null;
  forEachSymbol(bytes, (address, _, name) => {
    if (name === symbol && address !== 0) found ??= address;
  });
  return found;
}

function forEachSymbol(
  bytes: Uint8Array,
  visit: (address: number, type: string, name: string, module: string | undefined) => void,
): void {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const [, digits = '', type = '', name = '', module] = LINE.exec(decoder.decode(bytes.subarray(start, end))) ?? [];
    if (name !== '') visit(parseAddress(digits), type, name, module);
    start = end + 1;
  }
}

/** As a signed number, which is exact for kernel addresses. */
function parseAddress(digits: string): number {
  const padded = digits.padStart(16, '0');
  return (Number.parseInt(padded.slice(0, 8), 16) | 0) * TWO_32 + Number.parseInt(padded.slice(8), 16);
}

function signed(address: bigint): number {
  return Number(BigInt.asIntN(64, address));
}
