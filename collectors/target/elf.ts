import { hasFullSymbols } from '#core/symbols/elf-symbols.ts';
import { ElfError, ElfFile } from '#core/symbols/elf.ts';
import type { Target } from './target.ts';

/** What an executable carries to give its addresses names. */
export interface ElfFacts {
  /** A symbol table: function names. */
  readonly symbols: boolean;
  /** DWARF: lines and inlined functions. */
  readonly debugInfo: boolean;
  /** Where separate debug files are looked for: `/usr/lib/debug/.build-id/12/34….debug`. */
  readonly debugFile: string | null;
  /** From a place in the file to the linker's address; null where nothing of the file is mapped from there. */
  addressAt(offset: number): number | null;
}

/** The headers and the section names of executables take some kilobytes. */
const MAX_RANGE_BYTES = 2 ** 22;

/** Reads the headers of an ELF file on a target, range by range; null where it is none or can't be read. */
export async function readElfFacts(target: Target, path: string): Promise<ElfFacts | null> {
  const ranges = new Map<string, Uint8Array>();
  const read = (offset: number, length: number): Uint8Array => {
    const range = ranges.get(`${offset}+${length}`);
    if (range === undefined) throw new UnreadRange(offset, length);
    return range;
  };
  for (;;) {
    try {
      return factsOf(new ElfFile(read));
    } catch (error) {
      if (error instanceof ElfError || error instanceof RangeError) return null;
      if (!(error instanceof UnreadRange)) throw error;
      const { offset, length } = error;
      if (length > MAX_RANGE_BYTES) return null;
      const [bytes] = await target.readRanges([{ path, offset, length }]);
      if (bytes === null || bytes === undefined) return null;
      ranges.set(`${offset}+${length}`, bytes);
    }
  }
}

function factsOf(elf: ElfFile): ElfFacts {
  const { buildId, sections, segments } = elf;
  return {
    symbols: hasFullSymbols(elf),
    debugInfo: sections.some(({ name }) => name === '.debug_info' || name === '.zdebug_info'),
    debugFile: buildId === null ? null : `/usr/lib/debug/.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`,
    addressAt: (offset) => (segments.length === 0 ? null : elf.addressOf(offset)),
  };
}

/** The build id of an ELF file, hexadecimal, from its first bytes; null where they hold none. */
export function readBuildId(head: Uint8Array): string | null {
  try {
    return new ElfFile((start, length) => head.subarray(start, start + length)).buildId;
  } catch (error) {
    if (error instanceof ElfError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Thrown where the synchronous reader of headers wants bytes that were not fetched yet. */
class UnreadRange extends Error {
  readonly offset: number;
  readonly length: number;

  constructor(offset: number, length: number) {
    super(`${length} bytes at ${offset}`);
    this.offset = offset;
    this.length = length;
  }
}
