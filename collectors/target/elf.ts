import { hasFullSymbols } from '#core/symbols/elf-symbols.ts';
import { ElfError, ElfFile } from '#core/symbols/elf.ts';
import type { Target } from './target.ts';
import { debugFileOf, parseBuildId, type TargetPath } from './target-words.ts';

/** Information in an executable that gives names to its addresses. */
export interface ElfFacts {
  /** Whether it has a section of code. Files that contain only symbols or only types may lack one. */
  readonly code: boolean;
  /** A symbol table: function names. */
  readonly symbols: boolean;
  /** DWARF: lines and inlined functions. */
  readonly debugInfo: boolean;
  /** Location of the separate debug file: `/usr/lib/debug/.build-id/12/34….debug`. */
  readonly debugFile: TargetPath | null;
  /** Converts a file offset to the linker's address; null if the file is not mapped there. */
  addressAt(offset: number): number | null;
}

/** The headers and section names of executables take a few kilobytes. */
const MAX_RANGE_BYTES = 2 ** 22;
/** Files have a few dozen parts that are read: each of their notes is one. */
const MAX_RANGES = 300;

/** Reads the headers of an ELF file on a target, range by range; null if it is not an ELF file or can't be read. */
export const readElfFacts = (target: Target, path: string): Promise<ElfFacts | null> => readElf(target, path, factsOf);

/**
 * Reads the parts of an ELF file on a target that `read` requests; `read` runs again whenever more has arrived. Returns
 * null if it is not an ELF file, can't be read, has too many parts, or those are larger than `maxRangeBytes`, together than twice that.
 */
export async function readElf<T>(
  target: Pick<Target, 'readRanges'>,
  path: string,
  read: (elf: ElfFile) => T,
  maxRangeBytes = MAX_RANGE_BYTES,
): Promise<T | null> {
  const ranges = new Map<string, Uint8Array>();
  let held = 0;
  const readRange = (offset: number, length: number): Uint8Array => {
    const range = ranges.get(`${offset}+${length}`);
    if (range === undefined) throw new UnreadRange(offset, length);
    return range;
  };
  for (;;) {
    try {
      return read(new ElfFile(readRange));
    } catch (error) {
      if (error instanceof ElfError || error instanceof RangeError) return null;
      if (!(error instanceof UnreadRange)) throw error;
      const { offset, length } = error;
      held += length;
      if (length > maxRangeBytes || held > 2 * maxRangeBytes || ranges.size >= MAX_RANGES) return null;
      const [bytes] = await target.readRanges([{ path, offset, length }]);
      if (bytes === null || bytes === undefined) return null;
      ranges.set(`${offset}+${length}`, bytes);
    }
  }
}

function factsOf(elf: ElfFile): ElfFacts {
  const { sections, segments } = elf;
  const buildId = parseBuildId(elf.buildId);
  return {
    code: sections.some(({ name }) => name === '.text'),
    symbols: hasFullSymbols(elf),
    debugInfo: sections.some(({ name }) => name === '.debug_info' || name === '.zdebug_info'),
    debugFile: buildId === null ? null : debugFileOf(buildId),
    addressAt: (offset) => (segments.length === 0 ? null : elf.addressOf(offset)),
  };
}

/** Returns the build id of an ELF file, hexadecimal, from its first bytes; null if they do not contain one. */
export function readBuildId(head: Uint8Array): string | null {
  try {
    return new ElfFile((start, length) => head.subarray(start, start + length)).buildId;
  } catch (error) {
    if (error instanceof ElfError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Thrown if the synchronous header reader needs bytes that have not been fetched yet. */
class UnreadRange extends Error {
  readonly offset: number;
  readonly length: number;

  constructor(offset: number, length: number) {
    super(`${length} bytes at ${offset}`);
    this.offset = offset;
    this.length = length;
  }
}
