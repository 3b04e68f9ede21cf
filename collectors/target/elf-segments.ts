import type { Target } from './target.ts';

/** A part of an executable that is mapped into memory. Bytes. */
interface Segment {
  /** In the file. */
  readonly offset: number;
  readonly size: number;
  /** Where the linker put it: what debug information and symbols speak of. */
  readonly address: number;
}

/** From places in an executable's file to the linker's addresses. */
export interface ElfSegments {
  /** Null where nothing of the file is mapped from there. */
  addressAt(offset: number): number | null;
}

const HEADER_BYTES = 64;
const MAX_ENTRIES = 1000;
const PT_LOAD = 1;

/** Reads the program headers of a 64-bit ELF file, elf(5); null where it is none or can't be read. */
export async function readElfSegments(target: Target, path: string): Promise<ElfSegments | null> {
  const header = await read(target, path, 0, HEADER_BYTES);
  // Magic, and class 2: 64 bits.
  if (header.byteLength < HEADER_BYTES || header.getUint32(0) !== 0x7f45_4c46 || header.getUint8(4) !== 2) return null;
  const little = header.getUint8(5) === 1;
  const entrySize = header.getUint16(54, little);
  const count = Math.min(header.getUint16(56, little), MAX_ENTRIES);
  if (entrySize < 56) return null;
  const table = await read(target, path, Number(header.getBigUint64(32, little)), entrySize * count);
  const segments: Segment[] = [];
  for (let at = 0; at + entrySize <= table.byteLength; at += entrySize) {
    if (table.getUint32(at, little) !== PT_LOAD) continue;
    segments.push({
      offset: Number(table.getBigUint64(at + 8, little)),
      address: Number(table.getBigUint64(at + 16, little)),
      size: Number(table.getBigUint64(at + 32, little)),
    });
  }
  return {
    addressAt(place) {
      const found = segments.find(({ offset, size }) => place >= offset && place < offset + size);
      return found === undefined ? null : place - found.offset + found.address;
    },
  };
}

async function read(target: Target, path: string, offset: number, length: number): Promise<DataView> {
  const [bytes] = await target.readRanges([{ path, offset, length }]);
  if (bytes === null || bytes === undefined) return new DataView(new ArrayBuffer(0));
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
