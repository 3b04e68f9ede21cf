import { describe, expect, it } from 'vitest';
import { ElfError, ElfFile } from '#core/symbols/elf.ts';
import { elfSymbolTable } from '#core/symbols/elf-symbols.ts';
import { Kallsyms } from '#core/symbols/kallsyms.ts';
import { perfMapTable } from '#core/symbols/perf-map.ts';
import { SymbolList, type ListedSymbol } from '#core/symbols/symbol-list.ts';
import { encodeElf } from '../../support/encode/elf.ts';

const symbol = (name: string, start: number, size: number, more: Partial<ListedSymbol> = {}): ListedSymbol => ({
  name,
  start,
  size,
  isGlobal: true,
  isWeak: false,
  ...more,
});

const list = (...symbols: ListedSymbol[]): SymbolList => new SymbolList(symbols, (address) => Number(address));

describe('symbols by address', () => {
  it('extend as far as their size, or to the next one', () => {
    const table = list(symbol('b', 0x30, 0), symbol('a', 0x10, 0x8), symbol('c', 0x40, 0x10));
    const names = [0xf, 0x10, 0x17, 0x18, 0x30, 0x3f, 0x4f, 0x50].map((address) => table.nameAt(BigInt(address)));
    expect(names).toEqual([null, 'a', 'a', null, 'b', 'b', 'c', null]);
  });

  it('at the same address are the one that perf would choose', () => {
    const best = (...symbols: ListedSymbol[]): string | null => list(...symbols).nameAt(0x10n);
    expect(best(symbol('empty', 0x10, 0), symbol('sized', 0x10, 4))).toBe('sized');
    expect(best(symbol('weak', 0x10, 4, { isWeak: true }), symbol('strong', 0x10, 4))).toBe('strong');
    expect(best(symbol('local', 0x10, 4, { isGlobal: false }), symbol('global', 0x10, 4))).toBe('global');
    expect(best(symbol('__long_name', 0x10, 4), symbol('name', 0x10, 4))).toBe('name');
    expect(best(symbol('short', 0x10, 4), symbol('longer', 0x10, 4))).toBe('longer');
    expect(best(symbol('name', 0x10, 0), symbol('__pi_name', 0x10, 0))).toBe('__pi_name');
    expect(best(symbol('strong', 0x10, 0), symbol('weak', 0x10, 0, { isWeak: true }))).toBe('weak');
  });

  it('within one another are the inner one', () => {
    const table = list(symbol('outer', 0x10, 0x40), symbol('inner', 0x20, 0x8));
    expect([0x18, 0x24, 0x30].map((address) => table.nameAt(BigInt(address)))).toEqual(['outer', 'inner', 'outer']);
  });
});

describe('/proc/kallsyms', () => {
  const text = [
    'ffffffff81000000 T _text',
    'ffffffff81000100 t do_work',
    'ffffffff81000180 T memcpy',
    'ffffffff81000180 T __pi_memcpy',
    'ffffffff81000200 D some_data',
    'ffffffffc0000000 t init\t[nf_tables]',
    'noise',
  ].join('\n');
  const kallsyms = new Kallsyms(new TextEncoder().encode(text));

  it('names code of the kernel where it was loaded, and of modules separately', () => {
    expect(kallsyms.addressOf('_text')).toBe(-0x7f00_0000);
    expect(kallsyms.table('', 0)?.nameAt(0xffff_ffff_8100_0104n)).toBe('do_work');
    expect(kallsyms.table('', 0)?.nameAt(0xffff_ffff_8100_0188n)).toBe('__pi_memcpy');
    expect(kallsyms.table('', 0x20_0000)?.nameAt(0xffff_ffff_8120_0104n)).toBe('do_work');
    expect(kallsyms.table('nf_tables', 0)?.nameAt(0xffff_ffff_c000_0010n)).toBe('init');
    expect(kallsyms.table('absent', 0)).toBeNull();
  });

  it('is empty if addresses are hidden', () => {
    const hidden = new Kallsyms(new TextEncoder().encode('0000000000000000 T _text\n'));
    expect([hidden.addressOf('_text'), hidden.table('', 0)]).toEqual([null, null]);
  });
});

describe('perf maps', () => {
  it('names compiled code, with the later line if code was replaced', () => {
    const table = perfMapTable(
      '7f10 20 LazyCompile:~f a.js:1\n0x7f40 0x10 old\n7f40 10 new name\nnoise\n7f60 0 empty\n',
    );
    const names = [0x7f10, 0x7f2f, 0x7f30, 0x7f45, 0x7f60].map((address) => table.nameAt(BigInt(address)));
    expect(names).toEqual(['LazyCompile:~f a.js:1', 'LazyCompile:~f a.js:1', null, 'new name', null]);
  });
});

describe('ELF files', () => {
  const symbols = [
    { name: 'first', address: 0x40_1010, size: 0x10 },
    { name: 'second', address: 0x40_1030, size: 0 },
  ];

  it.each([
    ['64 bits', { isWide: true, littleEndian: true }],
    ['64 bits, big endian', { isWide: true, littleEndian: false }],
    ['32 bits', { isWide: false, littleEndian: true }],
    ['32 bits, big endian', { isWide: false, littleEndian: false }],
  ])('%s: have a build id, and names by offset', (_, layout) => {
    const bytes = encodeElf({ ...layout, codeAddress: 0x40_1000, codeOffset: 0x1000, codeBytes: 0x100, symbols });
    const file = new ElfFile((start, length) => bytes.subarray(start, start + length));
    expect(file.buildId).toBe('0102030405060708090a0b0c0d0e0f1011121314');
    const table = elfSymbolTable(file, file)!;
    const names = [0x100f, 0x1010, 0x101f, 0x1020, 0x1030, 0x10ff, 0x1100].map((at) => table.nameAt(BigInt(at)));
    expect(names).toEqual([null, 'first', 'first', null, 'second', 'second', null]);
  });

  it('are refused or read as far as possible when truncated anywhere', () => {
    const bytes = encodeElf({
      isWide: true,
      littleEndian: true,
      codeAddress: 0,
      codeOffset: 0x1000,
      codeBytes: 0x100,
      symbols,
    });
    for (let length = 0; length < bytes.length; length += 7) {
      const cut = bytes.subarray(0, length);
      try {
        const file = new ElfFile((start, size) => cut.subarray(start, start + size));
        elfSymbolTable(file, file);
      } catch (error) {
        expect(error).toBeInstanceOf(ElfError);
      }
    }
  });
});
