import { ElfError, ElfMachine, nameAt, type ElfFile, type ElfSection } from './elf.ts';
import { SymbolList, type ListedSymbol } from './symbol-list.ts';
import type { SymbolTable } from './symbols.ts';

const SYMBOL_TABLE = 2;
const DYNAMIC_SYMBOLS = 11;

/** Types of symbols that name code: functions, functions selected at load time, labels of assembly. */
const FUNCTION = 2;
const INDIRECT_FUNCTION = 10;
const NO_TYPE = 0;
const GLOBAL = 1;
const WEAK = 2;
/** Section indices from here on are not sections but absolute values and the like. */
const FIRST_RESERVED = 0xff00;

/** Maximum characters of all names of a table, because symbols may share the bytes of a name. */
const MAX_NAMES_LENGTH = 2 ** 28;

/** Bytes of the procedure linkage table's head and of its entries. */
const LINKAGE = new Map<number, { readonly head: number; readonly entry: number }>([
  [ElfMachine.x86, { head: 16, entry: 16 }],
  [ElfMachine.x64, { head: 16, entry: 16 }],
  [ElfMachine.arm64, { head: 32, entry: 16 }],
]);

/**
 * Returns the names of a binary's code by file offset. `symbols` is the file that contains them, which may hold only
 * what was stripped from `binary`. null if it has none.
 */
export function elfSymbolTable(binary: ElfFile, symbols: ElfFile): SymbolTable | null {
  const listed = [...listedSymbols(symbols), ...linkageSymbols(binary)];
  if (listed.length === 0) return null;
  return new SymbolList(listed, (offset) =>
    offset > BigInt(Number.MAX_SAFE_INTEGER) ? null : binary.addressOf(Number(offset)),
  );
}

/** Returns whether the file has the full symbol table, not only the exported symbols. */
export function hasFullSymbols({ sections }: ElfFile): boolean {
  return sections.some(({ type }) => type === SYMBOL_TABLE);
}

function listedSymbols(file: ElfFile): ListedSymbol[] {
  const table =
    file.sections.find(({ type }) => type === SYMBOL_TABLE) ??
    file.sections.find(({ type }) => type === DYNAMIC_SYMBOLS);
  if (table === undefined) return [];
  const symbols: ListedSymbol[] = [];
  forEachSymbol(file, table, (symbol, type, section) => {
    const isCode = type === FUNCTION || type === INDIRECT_FUNCTION || type === NO_TYPE;
    const home = file.sections[section];
    if (!isCode || symbol.name === '' || section === 0 || section >= FIRST_RESERVED || home === undefined) return;
    // A symbol without a size extends to the next one, but not beyond its section.
    const room = home.address + home.bytes - symbol.start;
    if (room > 0) symbols.push({ ...symbol, room });
  });
  return symbols;
}

function forEachSymbol(
  file: ElfFile,
  table: ElfSection,
  visit: (symbol: ListedSymbol, type: number, section: number) => void,
): void {
  const names = file.content(file.sections[table.link]);
  const rows = file.content(table);
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  const little = file.littleEndian;
  const rowBytes = file.isWide ? 24 : 16;
  let length = 0;
  for (let at = 0; at + rowBytes <= rows.length; at += rowBytes) {
    const info = rows[at + (file.isWide ? 4 : 12)]!;
    const binding = info >>> 4;
    const symbol = {
      name: nameAt(names, view.getUint32(at, little)),
      start: file.isWide ? Number(view.getBigUint64(at + 8, little)) : view.getUint32(at + 4, little),
      size: file.isWide ? Number(view.getBigUint64(at + 16, little)) : view.getUint32(at + 8, little),
      isGlobal: binding === GLOBAL,
      isWeak: binding === WEAK,
    };
    length += symbol.name.length;
    if (length > MAX_NAMES_LENGTH) throw new ElfError(`names of more than ${MAX_NAMES_LENGTH} characters`);
    visit(symbol, info & 15, view.getUint16(at + (file.isWide ? 6 : 14), little));
  }
}

/**
 * Returns symbols for the procedure linkage table, through which calls to other binaries go; perf names its entries
 * `name@plt`.
 */
function linkageSymbols(file: ElfFile): ListedSymbol[] {
  const layout = LINKAGE.get(file.machine);
  const relocations = file.section('.rela.plt') ?? file.section('.rel.plt');
  const table = file.section('.plt');
  const dynamic = relocations === null ? undefined : file.sections[relocations.link];
  if (layout === undefined || relocations === null || table === null || dynamic === undefined) return [];
  const names: string[] = [];
  forEachSymbol(file, dynamic, ({ name }) => names.push(name));
  const entries = relocatedSymbols(file, relocations).map((row) => names[row] ?? '');
  // With branch tracking, calls go through a second table, which has no head.
  const second = file.section('.plt.sec');
  return entries.flatMap((name, index) => {
    // Functions selected at load time have no name here, nor in perf's output.
    const symbol = { name: `${name}@plt`, size: layout.entry, isGlobal: true, isWeak: false };
    const first = { ...symbol, start: table.address + layout.head + index * layout.entry };
    return second === null ? [first] : [first, { ...symbol, start: second.address + index * layout.entry }];
  });
}

/** Returns the dynamic symbol's row for each relocation. */
function relocatedSymbols(file: ElfFile, section: ElfSection): number[] {
  const rows = file.content(section);
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  const hasAddend = section.name.startsWith('.rela');
  const rowBytes = (file.isWide ? 16 : 8) + (hasAddend ? (file.isWide ? 8 : 4) : 0);
  const found: number[] = [];
  for (let at = 0; at + rowBytes <= rows.length; at += rowBytes) {
    found.push(
      file.isWide
        ? view.getUint32(at + (file.littleEndian ? 12 : 8), file.littleEndian)
        : view.getUint32(at + 4, file.littleEndian) >>> 8,
    );
  }
  return found;
}
