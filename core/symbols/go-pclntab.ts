import { lastAtMost } from '../model/last-at-most.ts';
import { nameAt, type ElfFile, type ElfSection } from './elf.ts';
import type { SymbolFrame, SymbolTable } from './symbols.ts';

/** Magic number since Go 1.20. Source: go120magic in Go's debug/gosym/pclntab.go. */
const MAGIC = 0xffff_fff1;
const POINTER_BYTES = 8;

/** Offsets of runtime.moduledata's fields on 64-bit machines. Source: Go's runtime/symtab.go. */
const MODULE_TEXT = 176;
const MODULE_GOFUNC = 320;
const MODULE_BYTES = MODULE_GOFUNC + POINTER_BYTES;

/** Fields of runtime._func. Source: Go's runtime/runtime2.go. */
const FUNC = {
  entry: 0,
  name: 4,
  pcfile: 20,
  pcln: 24,
  npcdata: 28,
  unit: 32,
  startLine: 36,
  nfuncdata: 43,
  bytes: 44,
};
const PCDATA_INLINE_TREE = 2;
const FUNCDATA_INLINE_TREE = 3;
/** runtime.inlinedCall: the name, the place of the call, and the line of the function's start. */
const INLINED = { name: 4, parent: 8, startLine: 12, bytes: 16 };
const ABSENT = 0xffff_ffff;
/** Deeper than any compiler inlines. */
const MAX_INLINED = 1000;
const RELA_BYTES = 24;

/**
 * Returns the functions of a Go binary by file offset, with files, lines and inlined calls, from the table that Go's
 * own stack traces use, which stripping keeps. Null if there is none, or if it is of a Go version before 1.20.
 */
export function goSymbolTable(binary: ElfFile): SymbolTable | null {
  const section = binary.section('.gopclntab') ?? binary.section('.data.rel.ro.gopclntab');
  if (section === null || !binary.isWide || !binary.littleEndian) return null;
  const bytes = binary.content(section);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 72 || view.getUint32(0, true) !== MAGIC || bytes[7] !== POINTER_BYTES) return null;
  const module = readModule(binary, section);
  const text = module?.text ?? binary.section('.text')?.address;
  if (text === undefined) return null;
  const lines = new GoLines(bytes, view, text, module === null ? null : inlineTrees(binary, module.gofunc));
  const framesAt = (offset: bigint): readonly SymbolFrame[] | null => {
    const address = offset > BigInt(Number.MAX_SAFE_INTEGER) ? null : binary.addressOf(Number(offset));
    return address === null ? null : lines.at(address);
  };
  return { framesAt, nameAt: (offset) => framesAt(offset)?.at(-1)?.name ?? null };
}

/** Reads bytes of the inline trees at an offset that Go's tables state. */
type ReadTree = (offset: number) => DataView | null;

class GoLines {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #text: number;
  readonly #tree: ReadTree | null;
  readonly #minCode: number;
  readonly #count: number;
  /** Offsets of the parts of the table. */
  readonly #names: number;
  readonly #units: number;
  readonly #files: number;
  readonly #values: number;
  readonly #functions: number;

  constructor(bytes: Uint8Array, view: DataView, text: number, tree: ReadTree | null) {
    const part = (index: number): number => Number(view.getBigUint64(8 + index * POINTER_BYTES, true));
    this.#bytes = bytes;
    this.#view = view;
    this.#text = text;
    this.#tree = tree;
    this.#minCode = bytes[6]!;
    this.#names = part(3);
    this.#units = part(4);
    this.#files = part(5);
    this.#values = part(6);
    this.#functions = part(7);
    // Each function takes 8 bytes of the table.
    this.#count = Math.min(part(0), Math.floor((bytes.length - this.#functions) / 8) - 1);
  }

  /** Returns the frames at an address, innermost first; null if no Go function is there, or if the table is damaged. */
  at(address: number): readonly SymbolFrame[] | null {
    try {
      return this.#framesAt(address);
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  #framesAt(address: number): readonly SymbolFrame[] | null {
    const func = this.#functionAt(address - this.#text);
    if (func === null) return null;
    const entry = this.#text + this.#u32(func + FUNC.entry);
    const tree = this.#inlineTree(func);
    const frames: SymbolFrame[] = [];
    for (let at = address; frames.length < MAX_INLINED;) {
      const place = { file: this.#fileAt(func, entry, at), line: this.#lineAt(func, entry, at) };
      const index = tree === null ? -1 : this.#valueAt(this.#pcdata(func, PCDATA_INLINE_TREE), entry, at);
      if (tree === null || index < 0) {
        const startLine = Math.max(0, this.#view.getInt32(func + FUNC.startLine, true));
        frames.push({ name: this.#nameAt(this.#u32(func + FUNC.name)), ...place, startLine });
        break;
      }
      const row = index * INLINED.bytes;
      const startLine = Math.max(0, tree.getInt32(row + INLINED.startLine, true));
      frames.push({ name: this.#nameAt(tree.getInt32(row + INLINED.name, true)), ...place, startLine });
      at = entry + tree.getInt32(row + INLINED.parent, true);
    }
    return frames;
  }

  /** Returns the position of the function's description in the table. */
  #functionAt(offset: number): number | null {
    const count = this.#count;
    const startOf = (row: number): number => this.#u32(this.#functions + row * 8);
    if (count <= 0 || offset >= startOf(count)) return null;
    const row = lastAtMost(offset, count, startOf);
    return offset < startOf(row) ? null : this.#functions + this.#u32(this.#functions + row * 8 + 4);
  }

  #fileAt(func: number, entry: number, address: number): string {
    const file = this.#valueAt(this.#u32(func + FUNC.pcfile), entry, address);
    const unit = this.#u32(func + FUNC.unit);
    if (file < 0 || unit === ABSENT) return '';
    const at = this.#u32(this.#units + (unit + file) * 4);
    return at === ABSENT ? '' : nameAt(this.#bytes, this.#files + at);
  }

  #lineAt(func: number, entry: number, address: number): number {
    return Math.max(0, this.#valueAt(this.#u32(func + FUNC.pcln), entry, address));
  }

  #nameAt(offset: number): string {
    return nameAt(this.#bytes, this.#names + offset);
  }

  /** Returns the offset of one of the function's tables; 0 if it has none. */
  #pcdata(func: number, index: number): number {
    return index < this.#u32(func + FUNC.npcdata) ? this.#u32(func + FUNC.bytes + index * 4) : 0;
  }

  #inlineTree(func: number): DataView | null {
    if (this.#tree === null || FUNCDATA_INLINE_TREE >= this.#bytes[func + FUNC.nfuncdata]!) return null;
    const skipped = this.#u32(func + FUNC.npcdata) + FUNCDATA_INLINE_TREE;
    const offset = this.#u32(func + FUNC.bytes + skipped * 4);
    return offset === ABSENT ? null : this.#tree(offset);
  }

  /** Returns a table's value for an address, −1 if none. Tables are pairs of differences of value and address. */
  #valueAt(table: number, entry: number, address: number): number {
    if (table === 0) return -1;
    let at = this.#values + table;
    let value = -1;
    let from = entry;
    const varint = (): number => {
      let number = 0;
      for (let shift = 0; shift < 35; shift += 7) {
        const byte = this.#view.getUint8(at++);
        number |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      return number >>> 0;
    };
    for (let isFirst = true; ; isFirst = false) {
      const step = varint();
      if (step === 0 && !isFirst) return -1;
      value += (step & 1) === 0 ? step >>> 1 : ~(step >>> 1);
      from += varint() * this.#minCode;
      if (address < from) return value;
    }
  }

  #u32(at: number): number {
    return this.#view.getUint32(at, true);
  }
}

interface GoModule {
  /** Start of Go's code; in binaries that contain C code, it is not the start of the section. */
  readonly text: number;
  /** Start of the inline trees. */
  readonly gofunc: number;
}

/** Reads the runtime's facts about the binary; in position-independent binaries, relocations state them. */
function readModule(binary: ElfFile, table: ElfSection): GoModule | null {
  const relocations = readRelocations(binary);
  const own = binary.section('.go.module');
  const place = own === null ? findModule(binary, table, relocations) : { section: own, offset: 0 };
  if (place === null) return null;
  const { section, offset } = place;
  if (offset + MODULE_BYTES > section.bytes) return null;
  const bytes = binary.content({ offset: section.offset + offset, bytes: MODULE_BYTES });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const field = (at: number): number =>
    relocations.get(section.address + offset + at) ?? Number(view.getBigUint64(at, true));
  const [text, gofunc] = [field(MODULE_TEXT), field(MODULE_GOFUNC)];
  return text === 0 ? null : { text, gofunc };
}

/** Finds the facts before Go 1.26, where they are among other data: they begin with the table's address. */
function findModule(
  binary: ElfFile,
  table: ElfSection,
  relocations: ReadonlyMap<number, number>,
): { readonly section: ElfSection; readonly offset: number } | null {
  const relocated = [...relocations].find(([, value]) => value === table.address)?.[0];
  for (const name of ['.noptrdata', '.data', '.data.rel.ro']) {
    const section = binary.section(name);
    if (section === null) continue;
    const isHere =
      relocated !== undefined && relocated >= section.address && relocated < section.address + section.bytes;
    if (isHere) return { section, offset: relocated - section.address };
    const bytes = binary.content(section);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const wanted = BigInt(table.address);
    for (let at = 0; at + MODULE_BYTES <= bytes.length; at += POINTER_BYTES) {
      if (view.getBigUint64(at, true) === wanted) return { section, offset: at };
    }
  }
  return null;
}

/** Returns the addends of the relocations, by address. */
function readRelocations(binary: ElfFile): Map<number, number> {
  const values = new Map<number, number>();
  for (const name of ['.rela', '.rela.dyn']) {
    const section = binary.section(name);
    if (section === null) continue;
    const bytes = binary.content(section);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + RELA_BYTES <= bytes.length; at += RELA_BYTES) {
      values.set(Number(view.getBigUint64(at, true)), Number(view.getBigInt64(at + 16, true)));
    }
  }
  return values;
}

function inlineTrees(binary: ElfFile, gofunc: number): ReadTree | null {
  const section = binary.sections.find(
    ({ address, bytes }) => address !== 0 && gofunc >= address && gofunc < address + bytes,
  );
  if (section === undefined) return null;
  const bytes = binary.content(section);
  const start = gofunc - section.address;
  return (offset) => {
    const at = start + offset;
    return at >= bytes.length ? null : new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);
  };
}
