import { decodeText } from '../model/decode-text.ts';

/** Reads part of a file; returns fewer bytes if the file ends. */
type ReadRange = (start: number, length: number) => Uint8Array;

/** Part of a file that is mapped into memory. */
interface ElfSegment {
  readonly offset: number;
  readonly address: number;
  readonly fileBytes: number;
  readonly isCode: boolean;
}

export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly address: number;
  readonly offset: number;
  readonly bytes: number;
  /** Index of the section that this one refers to: a symbol table's names. */
  readonly link: number;
}

/** Machines whose procedure linkage tables are known. */
export const ElfMachine = { x86: 3, x64: 62, arm64: 183 } as const;

const MAGIC = 0x7f45_4c46;
const HEADER_BYTES = 64;
const LOAD = 1;
const NOTE = 4;
const NOTE_SECTION = 7;
const EXECUTABLE = 1;
const GNU_BUILD_ID = 3;
/** The largest binaries have a few thousand sections and segments. */
const MAX_ROWS = 100_000;
/** Longer sections are not read; the names of Chromium's symbols take a tenth of this. */
const MAX_SECTION_BYTES = 2 ** 29;

/** The longest mangled names of C++ have some ten thousand. */
const MAX_NAME_BYTES = 2 ** 16;
const MAX_NOTES_BYTES = 2 ** 16;
/** SHA-1 has 20; linkers accept any length from the user. */
const MAX_ID_BYTES = 64;

/** The file is not a supported ELF file; callers try other sources. */
export class ElfError extends Error {
  override readonly name = 'ElfError';
}

/**
 * Tables of an ELF file of any word size and byte order, read on demand. Addresses are numbers: those in files are
 * small, and the kernel's own file is not read. Source: elf(5).
 */
export class ElfFile {
  readonly machine: number;
  readonly isWide: boolean;
  readonly littleEndian: boolean;
  readonly #read: ReadRange;
  readonly #head: DataView;
  #segmentRows: readonly DataView[] | null = null;
  #segments: readonly ElfSegment[] | null = null;
  #sections: readonly ElfSection[] | null = null;

  constructor(read: ReadRange) {
    this.#read = read;
    const head = read(0, HEADER_BYTES);
    const view = viewOf(head);
    this.#head = view;
    if (head.length < 52 || view.getUint32(0) !== MAGIC) throw new ElfError('not an ELF file');
    this.isWide = head[4] === 2;
    if (this.isWide && head.length < HEADER_BYTES) throw new ElfError('the file ends within its header');
    this.littleEndian = head[5] === 1;
    this.machine = view.getUint16(18, this.littleEndian);
  }

  get segments(): readonly ElfSegment[] {
    return (this.#segments ??= this.#segmentsOf(LOAD));
  }

  get sections(): readonly ElfSection[] {
    return (this.#sections ??= this.#readSections());
  }

  /**
   * Build id in hexadecimal; null if the file has none. Linkers put it right after the segment table, so the rest of
   * the file is read last.
   */
  get buildId(): string | null {
    const ofSegments = this.#segmentsOf(NOTE).map(({ offset, fileBytes }) => ({ offset, bytes: fileBytes }));
    return (
      this.#findBuildId(ofSegments) ?? this.#findBuildId(this.sections.filter(({ type }) => type === NOTE_SECTION))
    );
  }

  section(name: string): ElfSection | null {
    return this.sections.find((section) => section.name === name) ?? null;
  }

  /** Throws an {@link ElfError} if the file lacks it, or if there is no such section. */
  content(section: Pick<ElfSection, 'offset' | 'bytes'> | undefined): Uint8Array {
    if (section === undefined) throw new ElfError('a reference to a section that does not exist');
    const { offset, bytes } = section;
    if (bytes > MAX_SECTION_BYTES) throw new ElfError(`a section of ${bytes} bytes`);
    const content = this.#read(offset, bytes);
    if (content.length < bytes) throw new ElfError('the file ends within a section');
    return content;
  }

  /**
   * Converts a file offset to an address; null if no segment contains it. If segments overlap, the one with code
   * counts.
   */
  addressOf(offset: number): number | null {
    const holds = this.segments.filter(
      (segment) => offset >= segment.offset && offset < segment.offset + segment.fileBytes,
    );
    const segment = holds.find(({ isCode }) => isCode) ?? holds[0];
    return segment === undefined ? null : offset - segment.offset + segment.address;
  }

  #segmentsOf(type: number): ElfSegment[] {
    const [size, count] = this.#halves(0, 2);
    const at = this.isWide ? this.#u64(this.#head, 32) : this.#u32(this.#head, 28);
    this.#segmentRows ??= this.#rows(at, size!, count!, this.isWide ? 56 : 32);
    return this.#segmentRows.filter((row) => this.#u32(row, 0) === type).map((row) => this.#segment(row));
  }

  #readSections(): ElfSection[] {
    const [size, count, namesRow] = this.#halves(4, 6, 8);
    const at = this.isWide ? this.#u64(this.#head, 40) : this.#u32(this.#head, 32);
    const rows = this.#rows(at, size!, count!, this.isWide ? 64 : 40);
    const unnamed = rows.map((row) => this.#section(row));
    const namesSection = unnamed[namesRow!];
    const names = namesSection === undefined ? new Uint8Array(0) : this.content(namesSection);
    return unnamed.map((section, row) => ({ ...section, name: nameAt(names, this.#u32(rows[row]!, 0)) }));
  }

  /** Reads sizes and counts of the two tables from the header. */
  #halves(...offsets: readonly number[]): number[] {
    return offsets.map((offset) => this.#head.getUint16((this.isWide ? 54 : 42) + offset, this.littleEndian));
  }

  #rows(at: number, rowBytes: number, count: number, minBytes: number): DataView[] {
    if (count === 0 || at === 0) return [];
    if (rowBytes < minBytes || count > MAX_ROWS) throw new ElfError('a table of unknown layout');
    const bytes = this.#read(at, rowBytes * count);
    if (bytes.length < rowBytes * count) throw new ElfError('the file ends within a table');
    return Array.from({ length: count }, (_, row) => viewOf(bytes.subarray(row * rowBytes, (row + 1) * rowBytes)));
  }

  #segment(row: DataView): ElfSegment {
    const word = (wide: number, narrow: number): number =>
      this.isWide ? this.#u64(row, wide) : this.#u32(row, narrow);
    return {
      offset: word(8, 4),
      address: word(16, 8),
      fileBytes: word(32, 16),
      isCode: (this.#u32(row, this.isWide ? 4 : 24) & EXECUTABLE) !== 0,
    };
  }

  #section(row: DataView): ElfSection {
    const word = (wide: number, narrow: number): number =>
      this.isWide ? this.#u64(row, wide) : this.#u32(row, narrow);
    return {
      name: '',
      type: this.#u32(row, 4),
      address: word(16, 12),
      offset: word(24, 16),
      bytes: word(32, 20),
      link: this.#u32(row, this.isWide ? 40 : 24),
    };
  }

  #findBuildId(notes: readonly Pick<ElfSection, 'offset' | 'bytes'>[]): string | null {
    for (const { offset, bytes } of notes) {
      if (bytes > MAX_NOTES_BYTES) continue;
      // Reads only the notes that the file contains: separate debug files keep the segment table of the whole file.
      const found = buildIdOfNotes(this.#read(offset, bytes), this.littleEndian);
      if (found !== null) return found;
    }
    return null;
  }

  #u32(view: DataView, at: number): number {
    return view.getUint32(at, this.littleEndian);
  }

  #u64(view: DataView, at: number): number {
    return Number(view.getBigUint64(at, this.littleEndian));
  }
}

/**
 * Returns the build id from notes of {name size, content size, type, name, content}, each padded to 4; null if there is
 * none.
 */
export function buildIdOfNotes(notes: Uint8Array, littleEndian: boolean): string | null {
  const view = viewOf(notes);
  for (let at = 0; at + 12 <= notes.length;) {
    const [nameBytes, contentBytes, type] = [0, 4, 8].map((field) => view.getUint32(at + field, littleEndian));
    const contentAt = at + 12 + padded(nameBytes!);
    const content = notes.subarray(contentAt, contentAt + contentBytes!);
    const isBuildId = type === GNU_BUILD_ID && nameAt(notes, at + 12) === 'GNU';
    if (isBuildId && content.length === contentBytes && contentBytes <= MAX_ID_BYTES)
      return Array.from(content, (byte) => byte.toString(16).padStart(2, '0')).join('');
    at = contentAt + padded(contentBytes!);
  }
  return null;
}

/** Rounds a size up to 4; bitwise operators would make one beyond 2³¹ negative, and the notes endless. */
const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** Returns the name, which ends with a NUL; empty if it is longer than {@link MAX_NAME_BYTES}. */
export function nameAt(names: Uint8Array, at: number): string {
  const name = names.subarray(at, at + MAX_NAME_BYTES);
  const end = name.indexOf(0);
  return end < 0 ? '' : decodeText(name.subarray(0, end)).text;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
