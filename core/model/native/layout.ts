/** The layout of the native file, shared by reader and writer; docs/profile-model.md describes it. */

/** Modelled on PNG's: not text, and damaged by anything that converts line endings. */
export const MAGIC = Uint8Array.of(0x89, 0x46, 0x4c, 0x42, 0x0d, 0x0a, 0x1a, 0x0a);
/**
 * Incremented by every change that an older reader would misread. New sections do not increment it, because readers
 * skip unknown ones.
 */
export const FORMAT_VERSION = 1;

/**
 * Header, little-endian: magic (8), version u32, section count u32, file length u64, CRC-32 of everything after the
 * header u32, CRC-32 of the header's first 28 bytes u32.
 */
export const HEADER_BYTES = 32;
export const HEADER = { version: 8, sectionCount: 12, fileLength: 16, bodyCrc: 24, headerCrc: 28 } as const;

/**
 * One row of the directory that follows the header: section id u32, element size u32, offset u64, length in bytes u64.
 */
export const ENTRY_BYTES = 24;
export const ENTRY = { id: 0, elementBytes: 4, offset: 8, byteLength: 16 } as const;

/** Every section starts at a multiple of this, so that columns are read in place. */
const ALIGNMENT = 8;

/** Sections by id. Ids are never reused. Weight column k is section `weights` + k. */
export const SECTION = {
  document: 1,
  stringEnds: 2,
  stringBytes: 3,
  functionName: 10,
  functionModule: 11,
  functionFile: 12,
  functionLine: 13,
  functionKind: 14,
  frameFunction: 20,
  frameAddress: 21,
  frameLine: 22,
  frameInline: 23,
  stackParent: 30,
  stackFrame: 31,
  threadPid: 40,
  threadTid: 41,
  threadName: 42,
  sampleStack: 50,
  sampleThread: 51,
  sampleEvent: 52,
  sampleTime: 53,
  sampleCpu: 54,
  sampleLabelSet: 55,
  sampleDuration: 56,
  weights: 1000,
} as const;

/** A larger section count means damage: it would take tens of thousands of value types. */
export const MAX_SECTIONS = 65_536;

export function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/**
 * Throws on big-endian machines, because columns are written in the machine's byte order. Of the machines that run
 * Electron or Node 24, only s390x is big-endian.
 */
export function refuseBigEndian(): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new RangeError('native files need a little-endian machine');
  }
}

/** Extension of native files, without the dot. */
export const NATIVE_EXTENSION = 'flamebench';
