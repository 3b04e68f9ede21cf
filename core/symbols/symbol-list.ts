import { lastAtMost } from '../model/last-at-most.ts';
import type { SymbolTable } from './symbols.ts';

/** A symbol as a binary or the kernel lists it. */
export interface ListedSymbol {
  /** In the table's address space. */
  readonly start: number;
  /** 0 if unknown: the symbol extends to the next one. */
  readonly size: number;
  /** Maximum extent if its size is unknown. */
  readonly room?: number;
  readonly name: string;
  readonly isGlobal: boolean;
  readonly isWeak: boolean;
}

/** Maximum number of later symbols that may begin within one. */
const MAX_NESTED = 16;
const PAGE = 4096;

/**
 * Symbols by address. If several share an address, the one that perf would choose counts: with a size, not weak,
 * global, with fewer leading underscores, with the longer name; of those without a size, as in kallsyms, the last listed
 * one. Sources: symbols__fixup_end(), which extends only that one up to the next address, and then
 * choose_best_symbol() in the kernel's tools/perf/util/symbol.c.
 */
export class SymbolList implements SymbolTable {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #names: string[];
  readonly #order: (address: bigint) => number | null;

  /** `order` converts an address of the profile to the symbols' addresses; null if it is outside them. */
  constructor(symbols: readonly ListedSymbol[], order: (address: bigint) => number | null) {
    const sorted = bestOfEach(symbols.toSorted((a, b) => a.start - b.start));
    this.#starts = Float64Array.from(sorted, ({ start }) => start);
    this.#names = sorted.map(({ name }) => name);
    this.#ends = Float64Array.from(sorted, ({ start, size, room = Infinity }, index) => {
      if (size > 0) return start + size;
      return Math.min(start + room, sorted[index + 1]?.start ?? (Math.ceil(start / PAGE) + 1) * PAGE);
    });
    this.#order = order;
  }

  get length(): number {
    return this.#names.length;
  }

  nameAt(address: bigint): string | null {
    const row = this.#rowAt(address);
    return row === null ? null : this.#names[row]!;
  }

  startAt(address: bigint): number | null {
    const row = this.#rowAt(address);
    return row === null ? null : this.#starts[row]!;
  }

  #rowAt(address: bigint): number | null {
    const at = this.#order(address);
    if (at === null) return null;
    const starts = this.#starts;
    const last = lastAtMost(at, starts.length, (row) => starts[row]!);
    for (let row = last; row >= 0 && row > last - MAX_NESTED; row--) {
      if (at >= starts[row]! && at < this.#ends[row]!) return row;
    }
    return null;
  }
}

/** `sorted` must be ordered by start. */
function bestOfEach(sorted: readonly ListedSymbol[]): ListedSymbol[] {
  const best: ListedSymbol[] = [];
  for (const symbol of sorted) {
    const last = best.at(-1);
    if (last === undefined || last.start !== symbol.start) best.push(symbol);
    else if (isBetter(symbol, last)) best[best.length - 1] = symbol;
  }
  return best;
}

/** `a` is listed after `b`. */
function isBetter(a: ListedSymbol, b: ListedSymbol): boolean {
  if (a.size > 0 !== b.size > 0) return a.size > 0;
  if (a.size === 0) return true;
  if (a.isWeak !== b.isWeak) return b.isWeak;
  if (a.isGlobal !== b.isGlobal) return a.isGlobal;
  const [inA, inB] = [underscores(a.name), underscores(b.name)];
  if (inA !== inB) return inA < inB;
  return a.name.length > b.name.length;
}

function underscores(name: string): number {
  return /^_*/.exec(name)![0].length;
}
