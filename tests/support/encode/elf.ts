import { encodeFields, type Field } from './perf-data.ts';

export interface EncodedElf {
  readonly isWide: boolean;
  readonly littleEndian: boolean;
  readonly codeAddress: number;
  readonly codeOffset: number;
  readonly codeBytes: number;
  readonly symbols: readonly { readonly name: string; readonly address: number; readonly size: number }[];
}

/** Build id of every file that {@link encodeElf} makes: the bytes 1 to 20. */
const BUILD_ID = Uint8Array.from({ length: 20 }, (_, index) => index + 1);

/** Makes an ELF file with a code segment and section, symbols and a build id. The code itself is zeros. */
export function encodeElf({
  isWide,
  littleEndian,
  codeAddress,
  codeOffset,
  codeBytes,
  symbols,
}: EncodedElf): Uint8Array {
  const join = (...fields: Field[]): Uint8Array => encodeFields(fields, littleEndian);
  const word = (value: number): Field => [isWide ? 8 : 4, value];
  const half = (value: number): Field => [2, value];
  const u32 = (value: number): Field => [4, value];
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const names = ['', ...symbols.map(({ name }) => name)];
  const nameAt = (index: number): number => names.slice(0, index).join('\0').length + Math.min(1, index);
  const symbolNames = text(`${names.join('\0')}\0`);
  const rows = symbols.map(({ address, size }, index) => {
    const info: Field[] = [[1, 0x12], [1, 0], half(1)];
    return isWide
      ? join(u32(nameAt(index + 1)), ...info, word(address), word(size))
      : join(u32(nameAt(index + 1)), word(address), word(size), ...info);
  });
  const symbolTable = join(new Uint8Array(isWide ? 24 : 16), ...rows);
  const note = join(u32(4), u32(20), u32(3), text('GNU\0'), BUILD_ID);
  const sectionNames = text('\0.text\0.symtab\0.strtab\0.note.gnu.build-id\0.shstrtab\0');
  const contents = [symbolTable, symbolNames, note, sectionNames];
  const headerBytes = isWide ? 64 : 52;
  const segmentBytes = isWide ? 56 : 32;
  const contentAt = codeOffset + codeBytes;
  const placeOf = (index: number): number =>
    contentAt + contents.slice(0, index).reduce((sum, { length }) => sum + length, 0);
  const section = (
    name: number,
    type: number,
    address: number,
    offset: number,
    bytes: number,
    link: number,
    entry: number,
  ) =>
    join(
      u32(name),
      u32(type),
      word(0),
      word(address),
      word(offset),
      word(bytes),
      u32(link),
      u32(0),
      word(0),
      word(entry),
    );
  const sections = [
    section(0, 0, 0, 0, 0, 0, 0),
    section(1, 1, codeAddress, codeOffset, codeBytes, 0, 0),
    section(7, 2, 0, placeOf(0), symbolTable.length, 3, isWide ? 24 : 16),
    section(15, 3, 0, placeOf(1), symbolNames.length, 0, 0),
    section(23, 7, 0, placeOf(2), note.length, 0, 0),
    section(42, 3, 0, placeOf(3), sectionNames.length, 0, 0),
  ];
  const segment = isWide
    ? join(u32(1), u32(5), word(codeOffset), word(codeAddress), word(0), word(codeBytes), word(codeBytes), word(0))
    : join(u32(1), word(codeOffset), word(codeAddress), word(0), word(codeBytes), word(codeBytes), u32(5), word(0));
  const identity = Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, isWide ? 2 : 1, littleEndian ? 1 : 2, 1, ...new Uint8Array(9));
  const header = join(
    identity,
    half(2),
    half(isWide ? 62 : 3),
    u32(1),
    word(codeAddress),
    word(headerBytes),
    word(placeOf(4)),
    u32(0),
    half(headerBytes),
    half(segmentBytes),
    half(1),
    half(sections[0]!.length),
    half(sections.length),
    half(sections.length - 1),
  );
  const gap = new Uint8Array(codeOffset + codeBytes - header.length - segment.length);
  return join(header, segment, gap, ...contents, ...sections);
}
