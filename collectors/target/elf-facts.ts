import type { Target } from './target.ts';

/** What an executable carries to give its addresses names. */
export interface ElfFacts {
  /** A symbol table: function names. */
  readonly symbols: boolean;
  /** DWARF: lines and inlined functions. */
  readonly debugInfo: boolean;
  /** Where separate debug files are looked for: `/usr/lib/debug/.build-id/12/34….debug`. */
  readonly debugFile: string | null;
}

const MAX_SECTIONS = 1000;
const MAX_NAMES_BYTES = 64 * 1024;
/** Types of section headers and notes, elf(5). */
const SECTION_SYMTAB = 2;
const SECTION_NOTE = 7;
const NOTE_BUILD_ID = 3;

interface Section {
  readonly name: string;
  readonly type: number;
  readonly offset: number;
  readonly size: number;
}

/** Reads the section headers of a 64-bit ELF file; null where it is none or can't be read. */
export async function readElfFacts(target: Target, path: string): Promise<ElfFacts | null> {
  const read = async (offset: number, length: number): Promise<DataView> => {
    const [bytes] = await target.readRanges([{ path, offset, length }]);
    return bytes === null || bytes === undefined
      ? new DataView(new ArrayBuffer(0))
      : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  const header = await read(0, 64);
  // Magic, and class 2: 64 bits.
  if (header.byteLength < 64 || header.getUint32(0) !== 0x7f45_4c46 || header.getUint8(4) !== 2) return null;
  const little = header.getUint8(5) === 1;
  const sections = await readSections(read, header, little);
  const note = sections.find(({ name, type }) => type === SECTION_NOTE && name === '.note.gnu.build-id');
  const buildId = note === undefined ? null : readBuildId(await read(note.offset, Math.min(note.size, 1024)), little);
  return {
    symbols: sections.some(({ type }) => type === SECTION_SYMTAB),
    debugInfo: sections.some(({ name }) => name === '.debug_info' || name === '.zdebug_info'),
    debugFile: buildId === null ? null : `/usr/lib/debug/.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`,
  };
}

async function readSections(
  read: (offset: number, length: number) => Promise<DataView>,
  header: DataView,
  little: boolean,
): Promise<Section[]> {
  const offset = Number(header.getBigUint64(40, little));
  const entrySize = header.getUint16(58, little);
  const count = Math.min(header.getUint16(60, little), MAX_SECTIONS);
  const namesIndex = header.getUint16(62, little);
  if (entrySize < 64 || count === 0 || namesIndex >= count) return [];
  const table = await read(offset, entrySize * count);
  if (table.byteLength < entrySize * count) return [];
  const at = (index: number): Omit<Section, 'name'> => ({
    type: table.getUint32(index * entrySize + 4, little),
    offset: Number(table.getBigUint64(index * entrySize + 24, little)),
    size: Number(table.getBigUint64(index * entrySize + 32, little)),
  });
  const names = await read(at(namesIndex).offset, Math.min(at(namesIndex).size, MAX_NAMES_BYTES));
  return Array.from({ length: count }, (_, index) => ({
    ...at(index),
    name: readName(names, table.getUint32(index * entrySize, little)),
  }));
}

function readName(names: DataView, start: number): string {
  let name = '';
  for (let at = start; at < names.byteLength; at++) {
    const byte = names.getUint8(at);
    if (byte === 0) break;
    name += String.fromCharCode(byte);
  }
  return name;
}

/** Name size, description size, type, then the name (`GNU`) padded to 4 bytes and the id. */
function readBuildId(note: DataView, little: boolean): string | null {
  if (note.byteLength < 16 || note.getUint32(8, little) !== NOTE_BUILD_ID) return null;
  const start = 12 + Math.ceil(note.getUint32(0, little) / 4) * 4;
  const size = note.getUint32(4, little);
  if (size < 2 || start + size > note.byteLength) return null;
  const id = Array.from({ length: size }, (_, index) =>
    note
      .getUint8(start + index)
      .toString(16)
      .padStart(2, '0'),
  );
  return id.join('');
}
