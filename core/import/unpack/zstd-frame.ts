/** Reads Zstandard's framing (RFC 8878, section 3.1); the decoder reads the blocks' content. */

export const ZSTD_MAGIC = 0xfd2fb528;
/** Sixteen magic numbers start a skippable frame: this one and the following fifteen. */
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Magic number, frame header descriptor. */
export const DESCRIPTOR_END = 5;
export const BLOCK_HEADER_BYTES = 3;
export const CHECKSUM_BYTES = 4;
/** Maximum size of a block, compressed or not. */
export const MAX_BLOCK_BYTES = 128 * 1024;

export function isSkippable(magic: number): boolean {
  return (magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC;
}

/** Returns the length of magic number and frame header, from their first five bytes. */
export function frameHeaderBytes(descriptor: number): number {
  const singleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6]!;
  return DESCRIPTOR_END + (singleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
}

export interface FrameHeader {
  readonly windowBytes: number;
  /** The window has its own descriptor; otherwise it is as large as the content. */
  readonly hasWindowDescriptor: boolean;
  /** Unpacked size; null if the frame does not state it. */
  readonly contentBytes: number | null;
  readonly hasChecksum: boolean;
  readonly needsDictionary: boolean;
}

/** `bytes` holds the magic number and the whole header. */
export function readFrameHeader(bytes: Uint8Array): FrameHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const descriptor = bytes[4]!;
  const singleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  let at = DESCRIPTOR_END;
  let windowBytes = 0;
  if (!singleSegment) {
    const base = 2 ** (10 + (bytes[at]! >>> 3));
    windowBytes = base + (base / 8) * (bytes[at]! & 7);
    at += 1;
  }
  const needsDictionary = bytes.subarray(at, at + dictionaryBytes).some((byte) => byte !== 0);
  at += dictionaryBytes;
  const contentBytes = readContentSize(view, at, bytes.length - at);
  if (singleSegment) windowBytes = contentBytes ?? 0;
  const hasChecksum = (descriptor & 4) !== 0;
  return { windowBytes, hasWindowDescriptor: !singleSegment, contentBytes, hasChecksum, needsDictionary };
}

function readContentSize(view: DataView, at: number, length: number): number | null {
  if (length === 1) return view.getUint8(at);
  if (length === 2) return view.getUint16(at, true) + 256;
  if (length === 4) return view.getUint32(at, true);
  return length === 8 ? Number(view.getBigUint64(at, true)) : null;
}

interface BlockHeader {
  readonly isLast: boolean;
  /** Bytes that follow in the file. */
  readonly storedBytes: number;
  readonly isValid: boolean;
}

export function readBlockHeader(bytes: Uint8Array): BlockHeader {
  const word = bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16);
  const type = (word >>> 1) & 3;
  const size = word >>> 3;
  return {
    isLast: (word & 1) !== 0,
    storedBytes: type === 1 ? 1 : size,
    isValid: type !== 3 && size <= MAX_BLOCK_BYTES,
  };
}
