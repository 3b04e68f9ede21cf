import { decodeText } from '../model/decode-text.ts';
import { SymbolList, type ListedSymbol } from './symbol-list.ts';
import type { SymbolTable } from './symbols.ts';

const TWO_32 = 2 ** 32;

/** One line: `ffffffff81000000 T _text` or `ffffffffc0000000 t init_module [module]`. */
const LINE = /^([0-9a-f]{8,16}) ([a-zA-Z]) (\S+)(?:\t\[(\S+)\])?$/;

/** The kernel's symbols, as /proc/kallsyms lists them. Empty if the kernel hides addresses (all are 0). */
export class Kallsyms {
  /** By module; those of the kernel itself have an empty name. */
  readonly #symbols = new Map<string, ListedSymbol[]>();

  constructor(bytes: Uint8Array) {
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(10, start);
      const end = newline < 0 ? bytes.length : newline;
      this.#add(LINE.exec(decodeText(bytes.subarray(start, end)).text));
      start = end + 1;
    }
  }

  /** Returns the address of a symbol of the kernel itself as a signed number; null if it is not listed. */
  addressOf(symbol: string): number | null {
    return this.#symbols.get('')?.find(({ name }) => name === symbol)?.start ?? null;
  }

  /** `shift` is the distance by which the recorded kernel was loaded higher. */
  table(module: string, shift: number): SymbolTable | null {
    const symbols = this.#symbols.get(module);
    if (symbols === undefined) return null;
    return new SymbolList(symbols, (address) => Number(BigInt.asIntN(64, address)) - shift);
  }

  #add(line: RegExpExecArray | null): void {
    const [, digits = '', type = '', name = '', module = ''] = line ?? [];
    const start = parseAddress(digits);
    if (start === 0 || !/[tTwW]/.test(type)) return;
    const symbols = this.#symbols.get(module) ?? [];
    symbols.push({ start, size: 0, name, isGlobal: type === 'T', isWeak: /[wW]/.test(type) });
    this.#symbols.set(module, symbols);
  }
}

/** Returns a signed number, which is exact for kernel addresses. */
function parseAddress(digits: string): number {
  const padded = digits.padStart(16, '0');
  return (Number.parseInt(padded.slice(0, 8), 16) | 0) * TWO_32 + Number.parseInt(padded.slice(8), 16);
}
